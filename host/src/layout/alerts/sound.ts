/** Waiting for permission to play ends after this time in ms, because a browser that refuses never answers. */
const patience = 1000

/**
 * Plays two short tones if the browser allows it and `isMine` resolves to true.
 * @returns whether the page may play sound, which a page may after the user has touched it
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
