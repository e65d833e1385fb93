export const canSpeak = 'speechSynthesis' in window

/** Says a sentence in Chinese, in place of the one being said. Silent where the browser cannot speak. */
export function speak(text: string) {
  if (!canSpeak) return
  const utterance = new SpeechSynthesisUtterance(text)
  utterance.lang = 'zh-CN'
  utterance.voice =
    speechSynthesis.getVoices().find(({ lang }) => lang.replace('_', '-') === 'zh-CN') ?? null
  speechSynthesis.cancel()
  speechSynthesis.speak(utterance)
}

/** `两盏`, not `2盏`: voices read a lone 2 as 二. */
export const spokenCount = (count: number) => (count === 2 ? '两' : String(count))
