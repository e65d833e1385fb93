import { z } from 'zod'
import {
  codeField,
  Description,
  nameField,
  SearchFilter,
  Status,
  revision,
  row,
  rowKeys,
} from './fields'
import { resource } from './resource'
import type { DataType, Property } from './thingModel'

/** The capability says what a device of this control type can do. */
export const Capability = z
  .enum(['SWITCH', 'DIM', 'TW', 'RGB', 'RGBW', 'CURTAIN', 'HVAC', 'SENSOR', 'SCENE_PANEL'])
  .meta({ title: '能力' })
export type Capability = z.infer<typeof Capability>
export const capabilityText: Record<Capability, string> = {
  SWITCH: '开关',
  DIM: '调光',
  TW: '调光调色温',
  RGB: '彩色',
  RGBW: '彩色加白光',
  CURTAIN: '窗帘',
  HVAC: '空调',
  SENSOR: '传感',
  SCENE_PANEL: '场景面板',
}
/** Input element that an operator uses. */
export const Widget = z
  .enum(['switch', 'slider', 'color', 'number', 'buttons', 'value'])
  .meta({ title: '控件' })
export type Widget = z.infer<typeof Widget>
export const widgetText: Record<Widget, string> = {
  switch: '开关',
  slider: '滑块',
  color: '取色器',
  number: '数字框',
  buttons: '按钮组',
  value: '只读数值',
}

export const ControlType = z.object({
  ...row,
  name: nameField('控制类型名称'),
  code: codeField('控制类型编码'),
  capability: Capability,
  /** Identifiers that the model of a product with this type must contain. */
  functions: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, '标识符以字母开头，只用字母、数字和下划线')
        .max(64),
    )
    .max(50, '必备功能最多 50 个')
    .refine((all) => new Set(all).size === all.length, '标识符重复')
    .meta({ title: '必备功能' }),
  widget: Widget,
  description: Description,
  status: Status,
})
export type ControlType = z.infer<typeof ControlType>
export const ControlTypeDraft = ControlType.omit(rowKeys)
export type ControlTypeDraft = z.infer<typeof ControlTypeDraft>
/** The code never changes after creation. */
export const ControlTypeChange = ControlTypeDraft.omit({ code: true }).extend(revision)

/** A product embeds these fields of a control type. */
export const ProductControl = ControlType.pick({
  code: true,
  name: true,
  functions: true,
  widget: true,
})
export type ProductControl = z.infer<typeof ProductControl>

const numericTypes: DataType['type'][] = ['int', 'float', 'double']
/** Data types that each widget can set; all other types use their default widget. */
const settableTypes: Record<Widget, DataType['type'][]> = {
  switch: ['bool'],
  slider: numericTypes,
  color: ['struct'],
  number: numericTypes,
  buttons: ['bool', 'enum'],
  value: [...numericTypes, 'bool', 'enum', 'text'],
}
/** Returns the widget that the control types of a product assign to a property; undefined if none does. */
export const findWidget = (
  { identifier, dataType }: Pick<Property, 'identifier' | 'dataType'>,
  types: readonly Pick<ControlType, 'functions' | 'widget'>[],
): Widget | undefined =>
  types.find(
    ({ functions, widget }) =>
      functions.includes(identifier) && settableTypes[widget].includes(dataType.type),
  )?.widget

const controlTypes = resource('deviceAccess', 'controlType', '控制类型', 'platform')
const filters = {
  name: SearchFilter.optional(),
  capability: Capability.optional(),
  status: Status.optional(),
}

export const controlTypeApi = {
  page: controlTypes.page({ input: filters, output: ControlType }),
  list: controlTypes.options({
    output: ControlType.pick({ id: true, name: true, code: true, functions: true, status: true }),
  }),
  create: controlTypes.create({ input: ControlTypeDraft, output: ControlType }),
  update: controlTypes.update({ input: ControlTypeChange, output: ControlType }),
  remove: controlTypes.remove(),
  setStatus: controlTypes.setStatus(),
  removeMany: controlTypes.removeMany(),
  exportRows: controlTypes.exportRows({ input: filters }),
  importRows: controlTypes.importRows(),
}
