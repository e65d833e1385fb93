/** Two short tones; silent where the browser lets no page make a sound yet. */
export function ring() {
  const context = new AudioContext()
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
  setTimeout(() => void context.close(), 1000)
}
