import { plan, type Floor, type Room } from './building'

// Half-transparent greys stand on a light page as well as on a dark one.
const wall = '#8a96a8'
const ink = '#8a96a8'

const text = (x: number, y: number, size: number, words: string) =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="start" fill="${ink}">${words}</text>`
const box = (x: number, y: number, width: number, height: number, style: string) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${style}/>`

/** Tables in rows where people sit; one long table where they meet. */
function furniture({ name, x, y, width, height }: Room): string {
  const piece = `rx="3" fill="${wall}" fill-opacity="0.10"`
  if (/办公区|研发|实验室/.test(name)) {
    const pieces = []
    for (let row = 0; row < Math.floor((height - 80) / 90); row++)
      for (let column = 0; column < Math.floor((width - 40) / 110); column++)
        pieces.push(box(x + 30 + column * 110, y + 62 + row * 90, 78, 34, piece))
    return pieces.join('')
  }
  if (/会议室|接待室|贵宾室/.test(name)) return box(x + width * 0.22, y + height * 0.36, width * 0.56, height * 0.3, `rx="14" fill="${wall}" fill-opacity="0.10"`)
  if (name === '报告厅')
    return Array.from({ length: 6 }, (_, row) => box(x + 90, y + 110 + row * 44, width - 180, 16, piece)).join('') + box(x + 180, y + 58, width - 360, 26, piece)
  return ''
}

/** An opening in the wall towards the corridor. */
const door = ({ x, y, width, height }: Room, corridor: Room) => {
  const gap = 'stroke-width="7" stroke-opacity="0.85" stroke="#fff" class="gap"'
  const at = x + width / 2
  if (Math.abs(y + height - corridor.y) < 1) return `<path d="M${at - 18} ${y + height}h36" ${gap}/>`
  if (Math.abs(y - corridor.y - corridor.height) < 1) return `<path d="M${at - 18} ${y}h36" ${gap}/>`
  if (Math.abs(x + width - corridor.x) < 1) return `<path d="M${x + width} ${y + height / 2 - 18}v36" ${gap}/>`
  if (Math.abs(x - corridor.x - corridor.width) < 1) return `<path d="M${x} ${y + height / 2 - 18}v36" ${gap}/>`
  return ''
}

/** The plan of a floor as SVG, `plan.width` × `plan.height`. */
export function drawFloor({ rooms }: Floor): string {
  const corridor = rooms.find(({ name }) => name === '走廊')!
  const rest = rooms.filter((room) => room !== corridor)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${plan.width} ${plan.height}" width="${plan.width}" height="${plan.height}" font-family="system-ui, 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif">`,
    '<style>@media (prefers-color-scheme: dark){.gap{stroke:#1f1f1f}}</style>',
    box(corridor.x, corridor.y, corridor.width, corridor.height, `fill="${wall}" fill-opacity="0.08"`),
    ...rest.map(furniture),
    ...rooms.map(({ x, y, width, height }) => box(x, y, width, height, `fill="none" stroke="${wall}" stroke-width="2.5"`)),
    box(40, 40, plan.width - 80, plan.height - 80, `fill="none" stroke="${wall}" stroke-width="6"`),
    ...rest.map((room) => door(room, corridor)),
    ...rooms.map(({ name, x, y }) => text(x + 14, y + 28, 17, name)),
    '</svg>',
  ].join('')
}
