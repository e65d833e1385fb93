import { radiusAt, size, type Candidate } from './candidate'

const names = ['on', 'off', 'offline', 'fault']
const svg = (name: string, attributes: Record<string, string | number>, parent: Element) => {
  const one = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const key of Object.keys(attributes)) one.setAttribute(key, String(attributes[key]))
  return parent.appendChild(one)
}

/** Draws the same SVG for a lamp as the floor plan does, without React. */
export const draw: Candidate = (frame, lamps) => {
  frame.insertAdjacentHTML(
    'beforeend',
    `<style>
      .steady { transform: scale(var(--unit)) }
      .body { fill: #fff; stroke: #8c8c8c; stroke-width: 2 }
      .reach { fill: transparent } .halo { fill: none }
      .on .body { fill: #ffc53d; stroke: #d48806 } .on .halo { fill: rgba(255, 197, 61, 0.28) }
      .offline .body { fill: none; stroke: #ff4d4f } .fault .body { stroke: #ff4d4f }
    </style>`,
  )
  const root = svg('svg', { ...size, viewBox: `0 0 ${size.width} ${size.height}` }, frame)
  const moved = svg('g', {}, root)
  const shown = lamps.map(({ x, y, look }) => {
    const at = `translate(${x * size.width} ${y * size.height})`
    const lamp = svg('g', { class: names[look]!, transform: at, tabindex: 0 }, moved)
    const steady = svg('g', { class: 'steady' }, lamp)
    svg('circle', { class: 'reach', r: 16 }, steady)
    svg('circle', { class: 'halo', r: 15 }, steady)
    svg('circle', { class: 'body', r: 8.5 }, steady)
    return lamp
  })
  return {
    change: (some) => some.forEach((n) => shown[n]!.setAttribute('class', names[lamps[n]!.look]!)),
    view(scale, left, top) {
      moved.setAttribute('transform', `translate(${left} ${top}) scale(${scale})`)
      const unit = radiusAt(scale, lamps.length) / 8.5 / scale
      ;(root as SVGElement).style.setProperty('--unit', String(unit))
    },
  }
}
