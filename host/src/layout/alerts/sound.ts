/** Waiting for permission to play ends after this time in ms, because a browser that refuses never answers. */
const permissionTimeoutMs = 1000

/**
 * Plays two short tones if the browser allows it and `shouldPlay` resolves to true.
 * @returns whether the page may play sound, which a page may after the user has touched it
 */
export async function playAlertSound(shouldPlay = () => Promise.resolve(true)) {
  const context = new AudioContext()
  await Promise.race([
    context.resume(),
    new Promise((resolve) => setTimeout(resolve, permissionTimeoutMs)),
  ])
  const isAllowed = context.state === 'running'
  if (isAllowed && (await shouldPlay())) {
    playTones(context)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  await context.close()
  return isAllowed
}

function playTones(context: AudioContext) {
  const start = context.currentTime
  for (const [offsetSeconds, frequency] of [
    [0, 880],
    [0.18, 660],
  ] as const) {
    const oscillator = context.createOscillator()
    const volume = context.createGain()
    oscillator.frequency.value = frequency
    volume.gain.setValueAtTime(0.2, start + offsetSeconds)
    volume.gain.exponentialRampToValueAtTime(0.001, start + offsetSeconds + 0.16)
    oscillator.connect(volume).connect(context.destination)
    oscillator.start(start + offsetSeconds)
    oscillator.stop(start + offsetSeconds + 0.17)
  }
}
