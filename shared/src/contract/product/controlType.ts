import { fieldTitles } from '../fields'
import type { Capability, Widget, ControlType } from './controlType.schema'
import type { DataType, Property } from '../thingModel/thingModel.schema'

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
export const widgetText: Record<Widget, string> = {
  switch: '开关',
  slider: '滑块',
  color: '取色器',
  number: '数字框',
  buttons: '按钮组',
  value: '只读数值',
}

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

export const controlTypeTitles = {
  name: '控制类型名称',
  code: '控制类型编码',
  capability: '能力',
  functions: '必备功能',
  widget: '控件',
  updateTime: fieldTitles.updateTime,
}
