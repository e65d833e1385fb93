import { AudioOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { ControlScope } from '@iot/shared/contract/control'
import { deviceApi, type ActionMode, type FoundDevice } from '@iot/shared/contract/device'
import { isLight, lightSwitch } from '@iot/shared/contract/light'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { rights } from '@iot/shared/contract/homeRights'
import type { GroupOption } from '@iot/shared/contract/deviceGroup'
import type { Space } from '@iot/shared/contract/project'
import { sceneApi } from '@iot/shared/contract/scene'
import type { Asked } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { useRefusal } from '@iot/shared/ui/right'
import { speak } from '@iot/shared/ui/voice'
import { asking, isStrictOf, verbOfLights } from '../actions'
import { changing, confirmOf } from '../changing'
import { understand, type Command, type Understood } from './grammar'

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
  onAsk: (asked: Asked) => void
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
type Hearing = { new (): Recognition }
function recogniser() {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Record<
    string,
    Hearing | undefined
  >
  return SpeechRecognition ?? webkitSpeechRecognition
}

const unheard = '没有听清，请再说一次或输入'
const whys: Record<string, string> = {
  'not-allowed': '没有麦克风权限，请输入',
  'service-not-allowed': '这个浏览器不允许语音识别，请输入',
  'language-not-supported': '这个浏览器不能识别中文，请输入',
  'audio-capture': '没有找到麦克风，请输入',
  'no-speech': '没有听到声音，请再说一次',
  network: '语音识别服务连不上，请输入',
}

/** Holds the devices that a sentence names, or the reason why they could not be read. */
type Named = { list: FoundDevice[]; failure?: string }

/** Returns the reason why a named device cannot be switched as a lamp now. */
function refuseDevice(device: FoundDevice) {
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
  const [why, setWhy] = useState<string>()
  const [isHearing, setHearing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const input = useRef<InputRef>(null)
  const hearing = useRef<Recognition>(undefined)
  const refusal = useRefusal()
  useEffect(() => {
    input.current?.focus()
    return () => hearing.current?.abort()
  }, [])
  const isStrict = isStrictOf(modes)
  const say = (sentence: string) => {
    setWhy(sentence)
    speak(sentence)
  }

  async function run(said: string) {
    setWhy(undefined)
    setBusy(true)
    await obey(said).finally(() => setBusy(false))
  }

  async function obey(said: string) {
    const page = { pageNo: 1, pageSize: 999, projectId }
    const { scenes, failure } = await call(sceneApi.page, page, { quiet: true }).then(
      ({ list }) => ({ scenes: list, failure: undefined }),
      (error: Error) => ({ scenes: [], failure: `没有读到场景：${error.message}` }),
    )
    const known = { tree, scenes, groups, here, hereGroup }
    const first = understand(said, known)
    // Devices are searched only if no space matches, because most sentences name no device.
    const named: Named = first.kind === 'unclear' ? await findNamed(said) : { list: [] }
    const command =
      named.list.length > 0 ? understand(said, { ...known, devices: named.list }) : first
    const unread = failure ?? (groupsFailed ? `没有读到设备组：${groupsFailed}` : named.failure)
    if (command.kind === 'unclear') return say(unread ?? command.why)
    const device = 'device' in command && named.list.find(({ id }) => id === command.device?.id)
    const right =
      command.kind === 'scene' ? rights.scene : device ? rights.control : rights.bulkControl
    const refused = refusal(right) ?? (device && refuseDevice(device))
    if (refused) return say(refused)
    const asked =
      command.kind === 'change' || command.kind === 'tint'
        ? await changing({ ...command, projectId, tree, isStrict }).catch(
            (error: Error) => error.message,
          )
        : device
          ? askedOfDevice(command as Command, device)
          : (askedOf(command) ?? '这个项目没有可以这样控制的灯')
    if (typeof asked === 'string') return say(asked)
    setText((now) => (now === said ? '' : now))
    onAsk(asked)
  }

  const findNamed = (sentence: string) =>
    call(deviceApi.named, { projectId, sentence }, { quiet: true }).then(
      ({ list }): Named => ({ list }),
      (error: Error): Named => ({ list: [], failure: `没有读到设备：${error.message}` }),
    )

  /** Builds the request for one lamp. A single lamp needs no confirmation unless it is protected. */
  function askedOfDevice(command: Command, device: FoundDevice): Asked {
    const { id, name } = device
    const [values, title] =
      command.kind === 'switch'
        ? [{ [lightSwitch]: command.on ? 1 : 0 }, `${command.on ? '开' : '关'} ${name}`]
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

  function askedOf(
    command: Exclude<Understood, { kind: 'unclear' | 'change' | 'tint' }>,
  ): Asked | undefined {
    if (command.kind === 'scene')
      return {
        title: `执行场景“${command.name}”`,
        okText: '执行',
        request: { kind: 'scene', projectId, sceneId: command.id },
        spoken: { kind: 'scene', name: command.name },
      }
    const { scope, name } = placeOf(command)
    if (command.kind !== 'switch') {
      const [identifier, said, unit] = settings[command.kind]
      const title = `${name}${said}调到 ${command.value}${unit}`
      return {
        title,
        okText: '执行',
        request: { kind: 'set', projectId, scope, values: { [identifier]: command.value } },
        spoken: { kind: 'action', name: title },
        confirm: confirmOf(command.space, tree, isStrict),
      }
    }
    const type = command.on ? 'all_on' : 'all_off'
    const mode = modes.find((one) => verbOfLights(one) && one.actionType === type)
    if (!mode) return undefined
    const confirm = confirmOf(command.space, tree, mode.confirm === 'strict')
    return { ...asking(mode, projectId, scope, name), confirm }
  }

  function placeOf({ space, spaces, group }: Command): { scope: ControlScope; name: string } {
    if (group) return { scope: { kind: 'group', groupId: group.id }, name: group.name }
    if (spaces)
      return {
        scope: { kind: 'spaces', spaceIds: spaces.map(({ id }) => id) },
        name: spaces.map(({ id }) => tree.nameOf(id)).join('、'),
      }
    if (space) return { scope: { kind: 'space', spaceId: space.id }, name: tree.nameOf(space.id) }
    return { scope: { kind: 'project' }, name: '整个项目' }
  }

  function hear(Recogniser: Hearing) {
    const one = (hearing.current = new Recogniser())
    let isAnswered = false
    const answer = (act: () => void) => {
      if (!isAnswered) act()
      isAnswered = true
    }
    const fail = (sentence: string) =>
      answer(() => {
        setWhy(sentence)
        input.current?.focus()
      })
    one.lang = 'zh-CN'
    one.onresult = ({ results }) => {
      const said = results[0]?.[0]?.transcript.trim()
      if (said)
        answer(() => {
          setText(said)
          void run(said)
        })
    }
    one.onerror = ({ error }) => fail(whys[error] ?? unheard)
    one.onend = () => {
      setHearing(false)
      // Some browsers end the recognition without reporting an error.
      fail(unheard)
    }
    setHearing(true)
    setWhy(undefined)
    one.start()
  }
  const Recogniser = recogniser()

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
        onSearch={(said) => void run(said)}
      />
      {Recogniser ? (
        <Button
          icon={<AudioOutlined />}
          loading={isHearing}
          disabled={isBusy}
          onClick={() => hear(Recogniser)}
        >
          {isHearing ? '请说…' : '按下说话'}
        </Button>
      ) : (
        <small>这个浏览器不能识别语音，请输入口令。</small>
      )}
      {why && <Alert type="warning" showIcon title={why} />}
    </Flex>
  )
}
