import { call } from '@iot/shared/client/call'
import type {
  ActionMode,
  DeviceSearchResult,
  SpaceLights,
} from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { maxSentenceLength, sentenceTooLong } from '@iot/shared/contract/device/sentenceLength'
import { isLight } from '@iot/shared/contract/control/light'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import type { GuardedCall } from '@iot/shared/ui/right'
import { hasStrictMode } from '../bulkActions'
import { delayAction, delayProtectedRefusal } from '../delayAction'
import { createRelativeChange } from '../relativeChange'
import { answerGroupQuestion, answerQuestion, describeLamp } from './answerQuestion'
import { createCommandAction, createDeviceAction } from './createSpokenAction'
import { interpretSentence, type Command } from './grammar'
import type { NamedItem, SpeechContext } from './places'
import type { Question } from './questions'

export type SentenceContext = Pick<SpeechContext, 'tree' | 'groups' | 'here' | 'hereGroup'> & {
  projectId: number
  /** The scenes of the project; they are read if the caller does not know them. */
  scenes?: SpeechContext['scenes']
  counts: ReadonlyMap<string, SpaceLights>
  /** The groups could not be read for this reason. */
  groupsFailed?: string
  modes: ActionMode[]
  /** Returns the reason why the user may not use a right. */
  findRefusal: (to: GuardedCall) => string | undefined
}

/** A sentence is a command to confirm, a question with its answer, or refused with a reason. */
export type PreparedSentence =
  | { kind: 'action'; action: ControlConfirmation }
  | { kind: 'answer'; text: string }
  | { kind: 'refusal'; reason: string }

/** Holds the devices that a sentence names, or the reason why they could not be read. */
type NamedDevices = { list: DeviceSearchResult[]; failure?: string }

const refuse = (reason: string): PreparedSentence => ({ kind: 'refusal', reason })

/** Returns the reason why a named device cannot be switched as a lamp now. */
function getDeviceRefusal(device: DeviceSearchResult) {
  if (!isLight(device)) return `${device.name}不是灯`
  return device.state === 'online'
    ? undefined
    : `${device.name}${deviceStateText[device.state]}，不能控制`
}

const findNamedDevices = (projectId: number, sentence: string) =>
  call(deviceApi.named, { projectId, sentence }, { quiet: true }).then(
    ({ list }): NamedDevices => ({ list }),
    (error: Error): NamedDevices => ({ list: [], failure: `没有读到设备：${error.message}` }),
  )

type NamedScenes = { scenes: SpeechContext['scenes']; failure?: string }

const readScenes = (projectId: number) =>
  call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, { quiet: true }).then(
    ({ list }): NamedScenes => ({ scenes: list }),
    (error: Error): NamedScenes => ({ scenes: [], failure: `没有读到场景：${error.message}` }),
  )

const answerAboutGroup = (question: Question, { id, name }: NamedItem, tree: SpaceTree) =>
  call(deviceGroupApi.lights, { id }, { quiet: true }).then(
    (lights): PreparedSentence => ({
      kind: 'answer',
      text: answerGroupQuestion(question, name, tree, lights),
    }),
    (error: Error) => refuse(`没有读到设备组的灯：${error.message}`),
  )

/** Turns a sentence into a request that the caller asks about; nothing is sent here. */
export async function prepareSentence(
  sentence: string,
  {
    projectId,
    scenes: knownScenes,
    tree,
    counts,
    groups,
    groupsFailed,
    here,
    hereGroup,
    modes,
    findRefusal,
  }: SentenceContext,
): Promise<PreparedSentence> {
  if (sentence.trim().length > maxSentenceLength) return refuse(sentenceTooLong)
  const { scenes, failure }: NamedScenes = knownScenes
    ? { scenes: knownScenes }
    : await readScenes(projectId)
  const speechContext = { tree, scenes, groups, here, hereGroup }
  const firstReading = interpretSentence(sentence, speechContext)
  // Devices are searched only if no space matches, because most sentences name no device.
  const namedDevices: NamedDevices =
    firstReading.kind === 'unclear' ? await findNamedDevices(projectId, sentence) : { list: [] }
  const command =
    namedDevices.list.length > 0
      ? interpretSentence(sentence, { ...speechContext, devices: namedDevices.list })
      : firstReading
  const readFailure =
    failure ?? (groupsFailed ? `没有读到设备组：${groupsFailed}` : namedDevices.failure)
  if (command.kind === 'unclear') return refuse(readFailure ?? command.why)
  const device =
    'device' in command && namedDevices.list.find(({ id }) => id === command.device?.id)
  if (command.kind === 'question') {
    if (command.group) return answerAboutGroup(command, command.group, tree)
    return {
      kind: 'answer',
      text: device ? describeLamp(device) : answerQuestion(command, tree, counts),
    }
  }
  const requiredRight =
    command.kind === 'scene'
      ? devicePermissions.scene
      : device
        ? devicePermissions.control
        : devicePermissions.bulkControl
  const delayMinutes = 'delayMinutes' in command ? command.delayMinutes : undefined
  const refusalText =
    findRefusal(requiredRight) ??
    (device && getDeviceRefusal(device)) ??
    (device && device.protected && delayMinutes && delayProtectedRefusal)
  if (refusalText) return refuse(refusalText)
  const action =
    command.kind === 'change' || command.kind === 'tint'
      ? await createRelativeChange({
          ...command,
          projectId,
          tree,
          isStrict: hasStrictMode(modes),
        }).catch((error: Error) => error.message)
      : device
        ? createDeviceAction(command as Command, device, projectId)
        : (createCommandAction(command, { projectId, tree, counts, modes }) ??
          '这个项目没有可以这样控制的灯')
  if (typeof action === 'string') return refuse(action)
  return {
    kind: 'action',
    action: delayMinutes ? delayAction(action, delayMinutes) : action,
  }
}
