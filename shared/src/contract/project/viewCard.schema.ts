import * as z from '../zod'
import { Id } from '../fields.schema'
import { DeviceState } from '../device/device.schema'
import { oneLinePattern } from '../fields'
import { cardColumns, maxCards } from './viewCard'

const cardSpaceId = Id.nullable().meta({ title: '位置' })
const groupId = Id.optional().meta({ title: '设备组' })

/** Settings of each kind of card. A card without space and group covers the whole project. */
export const cardKinds = {
  actions: z.object({ kind: z.literal('actions'), spaceId: cardSpaceId, groupId }),
  scenes: z.object({
    kind: z.literal('scenes'),
    /** An empty list shows all scenes. */
    sceneIds: z.array(Id).max(100, '场景最多 100 个').meta({ title: '场景' }),
  }),
  plan: z.object({
    kind: z.literal('plan'),
    spaceId: z.uuid('请选择楼层').meta({ title: '楼层' }),
  }),
  devices: z.object({
    kind: z.literal('devices'),
    spaceId: cardSpaceId,
    groupId,
    state: DeviceState.nullable().meta({ title: '状态' }),
  }),
  stats: z.object({
    kind: z.literal('stats'),
    spaceId: cardSpaceId,
    groupId,
    by: z.enum(['lights', 'types'], '请选择统计什么').meta({ title: '统计' }),
  }),
  problems: z.object({ kind: z.literal('problems'), spaceId: cardSpaceId.optional(), groupId }),
  recent: z.object({ kind: z.literal('recent') }),
  shift: z.object({ kind: z.literal('shift') }),
  energy: z.object({ kind: z.literal('energy') }),
  note: z.object({
    kind: z.literal('note'),
    text: z
      .string()
      .trim()
      .min(1, '请输入备注内容')
      .max(2000, '备注最多 2000 个字')
      .meta({ title: '内容' }),
  }),
}
export const CardConfig = z.discriminatedUnion(
  'kind',
  [
    cardKinds.actions,
    cardKinds.scenes,
    cardKinds.plan,
    cardKinds.devices,
    cardKinds.stats,
    cardKinds.problems,
    cardKinds.recent,
    cardKinds.shift,
    cardKinds.energy,
    cardKinds.note,
  ],
  '没有这种卡片',
)
export type CardConfig = z.infer<typeof CardConfig>
export type CardKind = CardConfig['kind']

/** A card and its position in a grid of twelve columns. */
export const ViewCard = z.object({
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/, '卡片编号格式不正确')
    .max(64),
  /** An empty title shows the name of the kind. */
  title: z
    .string()
    .trim()
    .max(32, '卡片标题最多 32 个字')
    .regex(oneLinePattern, '卡片标题不能含换行和不可见的控制字符')
    .meta({ title: '卡片标题' }),
  /** The only project that shows the card; a card with a space or a scene belongs to one project. */
  projectId: z.number().int().nullable(),
  x: z
    .number()
    .int()
    .min(0)
    .max(cardColumns - 1),
  y: z.number().int().min(0).max(2000),
  w: z.number().int().min(1).max(cardColumns),
  h: z.number().int().min(1).max(40),
  config: CardConfig,
})
export type ViewCard = z.infer<typeof ViewCard>

export const Cards = z.array(ViewCard).max(maxCards, `卡片最多 ${maxCards} 张`)

/** Builds the schema for comparing two arrangements of cards: one field for each card, with its title. */
export const createCardsSchema = (titles: Record<string, string>) =>
  z.object(
    Object.fromEntries(
      Object.entries(titles).map(([name, title]) => [name, z.unknown().meta({ title })]),
    ),
  )
