import { AudioOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { ControlScope } from '@iot/shared/contract/control'
import { deviceApi, type ActionMode, type DeviceSearchResult } from '@iot/shared/contract/device'
import { isLight, lightSwitchIdentifier } from '@iot/shared/contract/light'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { devicePermissions } from '@iot/shared/contract/devicePermissions'
import type { GroupOption } from '@iot/shared/contract/deviceGroup'
import type { Space } from '@iot/shared/contract/project'
import { sceneApi } from '@iot/shared/contract/scene'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { useRefusalReason } from '@iot/shared/ui/right'
import { speak } from '@iot/shared/ui/voice'
import { createBulkAction, hasStrictMode, getLightVerb } from '../bulkActions'
import { createRelativeChange, getConfirmLevel } from '../relativeChange'
import { interpretSentence, type Command, type Interpretation } from './grammar'

type VoiceCommandProps = {
  projectId: number
  tree: SpaceTree
  here?: Space
  /** This group is shown instead of a space. */
  hereGroup?: GroupOption
  groups?: GroupOption[]
  /** The groups could not be read for this reason. */
  groupsFailed?: string
  modes: ActionMode[]
  onAsk: (action: ControlConfirmation) => void
}

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

/** Holds the devices that a sentence names, or the reason why they could not be read. */
type NamedDevices = { list: DeviceSearchResult[]; failure?: string }

/** Returns the reason why a named device cannot be switched as a lamp now. */
function getDeviceRefusal(device: DeviceSearchResult) {
  if (!isLight(device)) return `${device.name}不是灯`
  return device.state === 'online'
    ? undefined
    : `${device.name}${deviceStateText[device.state]}，不能控制`
}

/** Each property that can be set to a value has an identifier, a display name and a unit. */
const settings = {
  brightness: ['Brightness', '亮度', '%'],
  temperature: ['ColorTemperature', '色温', 'K'],
} as const

/** Turns a spoken or typed sentence into an action. A scope larger than a room asks for confirmation. */
export default function VoiceCommand({
  projectId,
  tree,
  here,
  hereGroup,
  groups,
  groupsFailed,
  modes,
  onAsk,
}: VoiceCommandProps) {
  const [text, setText] = useState('')
  const [failureText, setFailureText] = useState<string>()
  const [isListening, setListening] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const input = useRef<InputRef>(null)
  const recognitionRef = useRef<Recognition>(undefined)
  const refusal = useRefusalReason()
  useEffect(() => {
    input.current?.focus()
    return () => recognitionRef.current?.abort()
  }, [])
  const isStrict = hasStrictMode(modes)
  const showReason = (sentence: string) => {
    setFailureText(sentence)
    speak(sentence)
  }

  async function run(sentence: string) {
    setFailureText(undefined)
    setBusy(true)
    await executeSentence(sentence).finally(() => setBusy(false))
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
          ? createDeviceAction(command as Command, device)
          : (createCommandAction(command) ?? '这个项目没有可以这样控制的灯')
    if (typeof action === 'string') return showReason(action)
    setText((now) => (now === sentence ? '' : now))
    onAsk(action)
  }

  const findNamedDevices = (sentence: string) =>
    call(deviceApi.named, { projectId, sentence }, { quiet: true }).then(
      ({ list }): NamedDevices => ({ list }),
      (error: Error): NamedDevices => ({ list: [], failure: `没有读到设备：${error.message}` }),
    )

  /** Builds the request for one lamp. A single lamp needs no confirmation unless it is protected. */
  function createDeviceAction(command: Command, device: DeviceSearchResult): ControlConfirmation {
    const { id, name } = device
    const [values, title] =
      command.kind === 'switch'
        ? [{ [lightSwitchIdentifier]: command.on ? 1 : 0 }, `${command.on ? '开' : '关'} ${name}`]
        : command.kind === 'brightness' || command.kind === 'temperature'
          ? [
              { [settings[command.kind][0]]: command.value },
              `${name}${settings[command.kind][1]}调到 ${command.value}${settings[command.kind][2]}`,
            ]
          : [{}, '']
    return {
      title: device.protected ? `${title}（受保护）` : title,
      okText: '执行',
      request: { kind: 'set', projectId, scope: { kind: 'devices', deviceIds: [id] }, values },
      spoken: { kind: 'single', name },
      confirm: device.protected ? 'strict' : 'none',
    }
  }

  function createCommandAction(
    command: Exclude<Interpretation, { kind: 'unclear' | 'change' | 'tint' }>,
  ): ControlConfirmation | undefined {
    if (command.kind === 'scene')
      return {
        title: `执行场景“${command.name}”`,
        okText: '执行',
        request: { kind: 'scene', projectId, sceneId: command.id },
        spoken: { kind: 'scene', name: command.name },
      }
    const { scope, name } = getTarget(command)
    if (command.kind !== 'switch') {
      const [identifier, propertyName, unit] = settings[command.kind]
      const title = `${name}${propertyName}调到 ${command.value}${unit}`
      return {
        title,
        okText: '执行',
        request: { kind: 'set', projectId, scope, values: { [identifier]: command.value } },
        spoken: { kind: 'action', name: title },
        confirm: getConfirmLevel(command.space, tree, isStrict),
      }
    }
    const type = command.on ? 'all_on' : 'all_off'
    const mode = modes.find((one) => getLightVerb(one) && one.actionType === type)
    if (!mode) return undefined
    const confirm = getConfirmLevel(command.space, tree, mode.confirm === 'strict')
    return { ...createBulkAction(mode, projectId, scope, name), confirm }
  }

  function getTarget({ space, spaces, group }: Command): { scope: ControlScope; name: string } {
    if (group) return { scope: { kind: 'group', groupId: group.id }, name: group.name }
    if (spaces)
      return {
        scope: { kind: 'spaces', spaceIds: spaces.map(({ id }) => id) },
        name: spaces.map(({ id }) => tree.nameOf(id)).join('、'),
      }
    if (space) return { scope: { kind: 'space', spaceId: space.id }, name: tree.nameOf(space.id) }
    return { scope: { kind: 'project' }, name: '整个项目' }
  }

  function startListening(Recogniser: RecognitionConstructor) {
    const recognition = (recognitionRef.current = new Recogniser())
    let isAnswered = false
    const answerOnce = (callback: () => void) => {
      if (!isAnswered) callback()
      isAnswered = true
    }
    const fail = (sentence: string) =>
      answerOnce(() => {
        setFailureText(sentence)
        input.current?.focus()
      })
    recognition.lang = 'zh-CN'
    recognition.onresult = ({ results }) => {
      const spokenText = results[0]?.[0]?.transcript.trim()
      if (spokenText)
        answerOnce(() => {
          setText(spokenText)
          void run(spokenText)
        })
    }
    recognition.onerror = ({ error }) => fail(errorTexts[error] ?? notHeardText)
    recognition.onend = () => {
      setListening(false)
      // Some browsers end the recognition without reporting an error.
      fail(notHeardText)
    }
    setListening(true)
    setFailureText(undefined)
    recognition.start()
  }
  const Recogniser = getRecogniser()

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
        onSearch={(sentence) => void run(sentence)}
      />
      {Recogniser ? (
        <Button
          icon={<AudioOutlined />}
          loading={isListening}
          disabled={isBusy}
          onClick={() => startListening(Recogniser)}
        >
          {isListening ? '请说…' : '按下说话'}
        </Button>
      ) : (
        <small>这个浏览器不能识别语音，请输入口令。</small>
      )}
      {failureText && <Alert type="warning" showIcon title={failureText} />}
    </Flex>
  )
}
