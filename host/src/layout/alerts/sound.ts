/** For how long it is waited; where the browser lets no page make a sound yet, it would be for good. */
const patience = 1000

/**
 * Two short tones, where the browser lets this page make a sound and it is the one to do so. Answers whether it is let:
 * a page is once somebody touched it.
 */
export async function ring(isMine = () => Promise.resolve(true)) {
  const context = new AudioContext()
  await Promise.race([context.resume(), new Promise((go) => setTimeout(go, patience))])
  const isLet = context.state === 'running'
  if (isLet && (await isMine())) {
    play(context)
    await new Promise((go) => setTimeout(go, 1000))
  }
  await context.close()
  return isLet
}

function play(context: AudioContext) {
  const start = context.currentTime
  for (const [at, frequency] of [
    [0, 880],
    [0.18, 660],
  ] as const) {
    const tone = context.createOscillator()
    const loudness = context.createGain()
    tone.frequency.value = frequency
    loudness.gain.setValueAtTime(0.2, start + at)
    loudness.gain.exponentialRampToValueAtTime(0.001, start + at + 0.16)
    tone.connect(loudness).connect(context.destination)
    tone.start(start + at)
    tone.stop(start + at + 0.17)
  }
}
