export const canSpeak = 'speechSynthesis' in window

/** Speaks a Chinese sentence and stops the current one. Silent if the browser has no speech synthesis. */
export function speak(text: string) {
  if (!canSpeak) return
  const utterance = new SpeechSynthesisUtterance(text)
  utterance.lang = 'zh-CN'
  utterance.voice =
    speechSynthesis.getVoices().find(({ lang }) => lang.replace('_', '-') === 'zh-CN') ?? null
  speechSynthesis.cancel()
  speechSynthesis.speak(utterance)
}

/** Writes `两盏` instead of `2盏`, because voices read a lone 2 as 二. */
export const formatSpokenCount = (count: number) => (count === 2 ? '两' : String(count))

/** @deprecated Use {@link formatSpokenCount}; kept for remotes that were built before. */
export const spokenCount = formatSpokenCount
