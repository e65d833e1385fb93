import AudioOutlined from '@ant-design/icons/AudioOutlined'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import type { InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { useRefusalReason } from '@iot/shared/ui/right'
import { speak } from '@iot/shared/ui/voice'
import { prepareSentence, type SentenceContext } from './prepareSentence'
import { useSpeechRecognition } from './useSpeechRecognition'
import { reportError } from '../../errors/reportError'

type VoiceCommandProps = Omit<SentenceContext, 'findRefusal'> & {
  onAsk: (action: ControlConfirmation) => void
}

/** Turns a spoken or typed sentence into an action. A scope larger than a room asks for confirmation. */
export default function VoiceCommand({ onAsk, ...context }: VoiceCommandProps) {
  const [text, setText] = useState('')
  const [failureText, setFailureText] = useState<string>()
  const [answerText, setAnswerText] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const input = useRef<InputRef>(null)
  const findRefusal = useRefusalReason()
  useEffect(() => input.current?.focus(), [])
  const showReason = (sentence: string) => {
    setFailureText(sentence)
    speak(sentence)
  }

  function run(sentence: string) {
    setFailureText(undefined)
    setAnswerText(undefined)
    setBusy(true)
    executeSentence(sentence)
      .catch(reportError)
      .finally(() => setBusy(false))
  }

  async function executeSentence(sentence: string) {
    const prepared = await prepareSentence(sentence, { ...context, findRefusal })
    if (prepared.kind === 'refusal') return showReason(prepared.reason)
    if (prepared.kind === 'answer') {
      setAnswerText(prepared.text)
      return speak(prepared.text)
    }
    setText((now) => (now === sentence ? '' : now))
    onAsk(prepared.action)
  }

  const { isListening, startListening } = useSpeechRecognition({
    onStart: () => setFailureText(undefined),
    onText(spokenText) {
      setText(spokenText)
      run(spokenText)
    },
    onFailure(sentence) {
      setFailureText(sentence)
      input.current?.focus()
    },
  })

  return (
    <Flex vertical gap={8} style={{ width: 320, maxWidth: '80vw' }}>
      <Input.Search
        ref={input}
        aria-label="口令"
        placeholder="例如：三层调到百分之三十"
        value={text}
        enterButton="执行"
        loading={isBusy}
        onChange={({ target }) => setText(target.value)}
        onSearch={run}
      />
      {startListening ? (
        <Button
          icon={<AudioOutlined />}
          loading={isListening}
          disabled={isBusy}
          onClick={startListening}
        >
          {isListening ? '请说…' : '按下说话'}
        </Button>
      ) : (
        <small>这个浏览器不能识别语音，请输入口令。</small>
      )}
      {answerText && <Alert type="info" showIcon title={answerText} />}
      {failureText && <Alert type="warning" showIcon title={failureText} />}
    </Flex>
  )
}
