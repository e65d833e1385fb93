import { useEffect, useRef, useState } from 'react'

/** TypeScript has no types for the browser's speech recognition API; these are the parts that are used. */
type Recognition = {
  lang: string
  onresult: (event: { results: { transcript: string }[][] }) => void
  onerror: (event: { error: string }) => void
  onend: () => void
  start: () => void
  abort: () => void
}
type RecognitionConstructor = { new (): Recognition }
function getRecogniser() {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Record<
    string,
    RecognitionConstructor | undefined
  >
  return SpeechRecognition ?? webkitSpeechRecognition
}

const notHeardText = '没有听清，请再说一次或输入'
const errorTexts: Record<string, string> = {
  'not-allowed': '没有麦克风权限，请输入',
  'service-not-allowed': '这个浏览器不允许语音识别，请输入',
  'language-not-supported': '这个浏览器不能识别中文，请输入',
  'audio-capture': '没有找到麦克风，请输入',
  'no-speech': '没有听到声音，请再说一次',
  network: '语音识别服务连不上，请输入',
}

type SpeechRecognitionOptions = {
  onStart: () => void
  onText: (spokenText: string) => void
  /** Runs with the sentence to show if nothing was understood. */
  onFailure: (sentence: string) => void
}

/** Returns the function that listens for one sentence; there is none if the browser cannot recognise speech. */
export function useSpeechRecognition({ onStart, onText, onFailure }: SpeechRecognitionOptions) {
  const [isListening, setListening] = useState(false)
  const recognitionRef = useRef<Recognition>(undefined)
  useEffect(() => () => recognitionRef.current?.abort(), [])

  function startListening(Recogniser: RecognitionConstructor) {
    const recognition = (recognitionRef.current = new Recogniser())
    let isAnswered = false
    const answerOnce = (callback: () => void) => {
      if (!isAnswered) callback()
      isAnswered = true
    }
    const fail = (sentence: string) => answerOnce(() => onFailure(sentence))
    recognition.lang = 'zh-CN'
    recognition.onresult = ({ results }) => {
      const spokenText = results[0]?.[0]?.transcript.trim()
      if (spokenText) answerOnce(() => onText(spokenText))
    }
    recognition.onerror = ({ error }) => fail(errorTexts[error] ?? notHeardText)
    recognition.onend = () => {
      setListening(false)
      // Some browsers end the recognition without reporting an error.
      fail(notHeardText)
    }
    setListening(true)
    onStart()
    recognition.start()
  }
  const Recogniser = getRecogniser()
  return { isListening, startListening: Recogniser && (() => startListening(Recogniser)) }
}
