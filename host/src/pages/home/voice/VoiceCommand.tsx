import { AudioOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '@iot/shared/client/call'
import type {
  ActionMode,
  DeviceSearchResult,
  SpaceLights,
} from '@iot/shared/contract/device.schema'
import { deviceApi } from '@iot/shared/contract/device.api'
import { isLight } from '@iot/shared/contract/light'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import type { GroupOption } from '@iot/shared/contract/deviceGroup.schema'
import type { Space } from '@iot/shared/contract/project.schema'
import { sceneApi } from '@iot/shared/contract/scene.api'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { useRefusalReason } from '@iot/shared/ui/right'
import { speak } from '@iot/shared/ui/voice'
import { hasStrictMode } from '../bulkActions'
import { createRelativeChange } from '../relativeChange'
import { createCommandAction, createDeviceAction } from './createSpokenAction'
import { describeLampCounts } from './describeLampCounts'
import { interpretSentence, type Command } from './grammar'
import { useSpeechRecognition } from './useSpeechRecognition'
import { reportError } from '../../errors/reportError'

type VoiceCommandProps = {
  projectId: number
  tree: SpaceTree
  counts: ReadonlyMap<string, SpaceLights>
  here?: Space
  /** This group is shown instead of a space. */
  hereGroup?: GroupOption
  groups?: GroupOption[]
  /** The groups could not be read for this reason. */
  groupsFailed?: string
  modes: ActionMode[]
  onAsk: (action: ControlConfirmation) => void
}

/** Holds the devices that a sentence names, or the reason why they could not be read. */
type NamedDevices = { list: DeviceSearchResult[]; failure?: string }

/** Returns the reason why a named device cannot be switched as a lamp now. */
function getDeviceRefusal(device: DeviceSearchResult) {
  if (!isLight(device)) return `${device.name}不是灯`
  return device.state === 'online'
    ? undefined
    : `${device.name}${deviceStateText[device.state]}，不能控制`
}

/** Turns a spoken or typed sentence into an action. A scope larger than a room asks for confirmation. */
export default function VoiceCommand({
  projectId,
  tree,
  counts,
  here,
  hereGroup,
  groups,
  groupsFailed,
  modes,
  onAsk,
}: VoiceCommandProps) {
  const [text, setText] = useState('')
  const [failureText, setFailureText] = useState<string>()
  const [answerText, setAnswerText] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const input = useRef<InputRef>(null)
  const refusal = useRefusalReason()
  useEffect(() => input.current?.focus(), [])
  const isStrict = hasStrictMode(modes)
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
    const pageParams = { pageNo: 1, pageSize: 999, projectId }
    const { scenes, failure } = await call(sceneApi.page, pageParams, { quiet: true }).then(
      ({ list }) => ({ scenes: list, failure: undefined }),
      (error: Error) => ({ scenes: [], failure: `没有读到场景：${error.message}` }),
    )
    const speechContext = { tree, scenes, groups, here, hereGroup }
    const firstReading = interpretSentence(sentence, speechContext)
    // Devices are searched only if no space matches, because most sentences name no device.
    const namedDevices: NamedDevices =
      firstReading.kind === 'unclear' ? await findNamedDevices(sentence) : { list: [] }
    const command =
      namedDevices.list.length > 0
        ? interpretSentence(sentence, { ...speechContext, devices: namedDevices.list })
        : firstReading
    const readFailure =
      failure ?? (groupsFailed ? `没有读到设备组：${groupsFailed}` : namedDevices.failure)
    if (command.kind === 'unclear') return showReason(readFailure ?? command.why)
    if (command.kind === 'count') {
      const answer = describeLampCounts(command, tree, counts)
      setAnswerText(answer)
      return speak(answer)
    }
    const device =
      'device' in command && namedDevices.list.find(({ id }) => id === command.device?.id)
    const requiredRight =
      command.kind === 'scene'
        ? devicePermissions.scene
        : device
          ? devicePermissions.control
          : devicePermissions.bulkControl
    const refusalText = refusal(requiredRight) ?? (device && getDeviceRefusal(device))
    if (refusalText) return showReason(refusalText)
    const action =
      command.kind === 'change' || command.kind === 'tint'
        ? await createRelativeChange({ ...command, projectId, tree, isStrict }).catch(
            (error: Error) => error.message,
          )
        : device
          ? createDeviceAction(command as Command, device, projectId)
          : (createCommandAction(command, { projectId, tree, modes }) ??
            '这个项目没有可以这样控制的灯')
    if (typeof action === 'string') return showReason(action)
    setText((now) => (now === sentence ? '' : now))
    onAsk(action)
  }

  const findNamedDevices = (sentence: string) =>
    call(deviceApi.named, { projectId, sentence }, { quiet: true }).then(
      ({ list }): NamedDevices => ({ list }),
      (error: Error): NamedDevices => ({ list: [], failure: `没有读到设备：${error.message}` }),
    )

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
        maxLength={60}
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
