import { size, type Candidate, type Lamp } from './candidate'

const durationSeconds = 8
/** A message of the live channel names this many lamps and arrives ten times a second. */
const lampsPerMessage = 50

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** Returns the transform at a time: zooming between the whole floor plan and six times magnification while moving. */
function computeView(second: number) {
  const scale = 3.5 - 2.5 * Math.cos((second * Math.PI * 2) / 4)
  const oscillate = (periodSeconds: number) =>
    0.5 + 0.5 * Math.sin((second * Math.PI * 2) / periodSeconds)
  const offsetX = -oscillate(2.3) * size.width * (scale - 1)
  return [scale, offsetX, -oscillate(3.1) * size.height * (scale - 1)] as const
}

async function measure(draw: Candidate, count: number) {
  const lampsPerRow = Math.ceil(Math.sqrt((count * size.width) / size.height))
  const lamps: Lamp[] = Array.from({ length: count }, (_, n) => ({
    x: ((n % lampsPerRow) + 0.5) / lampsPerRow,
    y: (Math.floor(n / lampsPerRow) + 0.5) / Math.ceil(count / lampsPerRow),
    look: n % 97 === 0 ? 3 : n % 41 === 0 ? 2 : n % 3 ? 0 : 1,
  }))
  await nextFrame()
  const startTime = performance.now()
  const { change, view } = await draw(document.body.firstElementChild as HTMLElement, lamps)
  view(...computeView(0))
  await nextFrame()
  await nextFrame()
  const first = performance.now() - startTime

  const frames: number[] = []
  const start = await nextFrame()
  let lastFrameTime = start
  let messageCount = 0
  while (lastFrameTime - start < durationSeconds * 1000) {
    for (; messageCount < (lastFrameTime - start) / 100; messageCount++) {
      const changedIndexes = Array.from(
        { length: lampsPerMessage },
        (_, n) => (messageCount * 7919 + n * 131) % count,
      )
      for (const n of changedIndexes) lamps[n]!.look = 1 - (lamps[n]!.look % 2)
      change(changedIndexes)
    }
    view(...computeView((lastFrameTime - start) / 1000))
    const now = await nextFrame()
    frames.push(now - lastFrameTime)
    lastFrameTime = now
  }
  return { first, frames }
}
Object.assign(globalThis, { measure })
