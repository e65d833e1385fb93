import { size, type Candidate, type Lamp } from './candidate'

const seconds = 8
/** A message of the live channel names this many lamps and arrives ten times a second. */
const perMessage = 50

const next = () => new Promise<number>((done) => requestAnimationFrame(done))

/** Returns the transform at a time: zooming between the whole floor plan and six times magnification while moving. */
function viewAt(second: number) {
  const scale = 3.5 - 2.5 * Math.cos((second * Math.PI * 2) / 4)
  const share = (every: number) => 0.5 + 0.5 * Math.sin((second * Math.PI * 2) / every)
  const left = -share(2.3) * size.width * (scale - 1)
  return [scale, left, -share(3.1) * size.height * (scale - 1)] as const
}

async function measure(draw: Candidate, count: number) {
  const across = Math.ceil(Math.sqrt((count * size.width) / size.height))
  const lamps: Lamp[] = Array.from({ length: count }, (_, n) => ({
    x: ((n % across) + 0.5) / across,
    y: (Math.floor(n / across) + 0.5) / Math.ceil(count / across),
    look: n % 97 === 0 ? 3 : n % 41 === 0 ? 2 : n % 3 ? 0 : 1,
  }))
  await next()
  const began = performance.now()
  const { change, view } = await draw(document.body.firstElementChild as HTMLElement, lamps)
  view(...viewAt(0))
  await next()
  await next()
  const first = performance.now() - began

  const frames: number[] = []
  const start = await next()
  let before = start
  let told = 0
  while (before - start < seconds * 1000) {
    for (; told < (before - start) / 100; told++) {
      const some = Array.from({ length: perMessage }, (_, n) => (told * 7919 + n * 131) % count)
      for (const n of some) lamps[n]!.look = 1 - (lamps[n]!.look % 2)
      change(some)
    }
    view(...viewAt((before - start) / 1000))
    const now = await next()
    frames.push(now - before)
    before = now
  }
  return { first, frames }
}
Object.assign(globalThis, { measure })
