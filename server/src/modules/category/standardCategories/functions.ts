import type { StandardCategory } from '@iot/shared/contract/product/category.schema'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import type { z } from 'zod'

/** Model of a single function; the model of a category combines several of them. */
type ModelDraft = z.input<typeof ThingModel>
type Properties = Required<Pick<ModelDraft, 'properties'>>
type Property = Properties['properties'][number]
type Event = NonNullable<ModelDraft['events']>[number]

export const property = (
  identifier: string,
  name: string,
  accessMode: Property['accessMode'],
  dataType: Property['dataType'],
): Properties => ({ properties: [{ identifier, name, accessMode, dataType }] })
export const markRequired = ({ properties }: Properties): Properties => ({
  properties: properties.map((item) => ({ ...item, required: true })),
})
export const bool = (
  identifier: string,
  name: string,
  offText: string,
  onText: string,
  accessMode: Property['accessMode'] = 'rw',
) => property(identifier, name, accessMode, { type: 'bool', specs: { 0: offText, 1: onText } })
export const int = (
  identifier: string,
  name: string,
  min: number,
  max: number,
  unit?: string,
  accessMode: Property['accessMode'] = 'r',
) => property(identifier, name, accessMode, { type: 'int', specs: { min, max, step: 1, unit } })
export const float = (
  identifier: string,
  name: string,
  min: number,
  max: number,
  step: number,
  unit?: string,
  accessMode: Property['accessMode'] = 'r',
) => property(identifier, name, accessMode, { type: 'double', specs: { min, max, step, unit } })
export const enumeration = (
  identifier: string,
  name: string,
  words: string[],
  accessMode: Property['accessMode'] = 'rw',
) =>
  property(identifier, name, accessMode, {
    type: 'enum',
    specs: Object.fromEntries(words.map((word, index) => [index, word])),
  })
export const event = (identifier: string, name: string, type: Event['type']): ModelDraft => ({
  events: [{ identifier, name, type }],
})
export const service = (identifier: string, name: string): ModelDraft => ({
  services: [{ identifier, name }],
})

export const power = markRequired(bool('PowerSwitch', '电源开关', '关闭', '开启'))
export const brightness = int('Brightness', '亮度', 0, 100, '%', 'rw')
export const colourTemperature = int('ColorTemperature', '色温', 2700, 6500, 'K', 'rw')
export const battery = int('BatteryPercentage', '电池电量', 0, 100, '%')
export const temperature = float('CurrentTemperature', '当前温度', -40, 120, 0.1, '°C')
export const humidity = float('CurrentHumidity', '当前湿度', 0, 100, 0.1, '%RH')
export const fault = event('Error', '故障上报', 'error')
export const lowBattery = event('LowBattery', '低电量告警', 'alert')
export const workHours = int('LightWorkHours', '累计点亮时长', 0, 1_000_000, 'h')
export const electricity = [
  float('Voltage', '电压', 0, 500, 0.1, 'V'),
  float('Current', '电流', 0, 1000, 0.01, 'A'),
  float('ActivePower', '有功功率', 0, 10_000, 0.01, 'kW'),
  float('PowerFactor', '功率因数', 0, 1, 0.01),
  markRequired(float('TotalActiveEnergy', '累计用电量', 0, 99_999_999, 0.01, 'kW·h')),
]

export const channel = (identifier: string, name: string) => ({
  identifier,
  name,
  dataType: { type: 'int' as const, specs: { min: 0, max: 255, step: 1 } },
})

export const categoryInGroup =
  (group: string) =>
  (code: string, name: string, ...functions: ModelDraft[]): StandardCategory => ({
    code,
    name,
    group,
    model: ThingModel.parse({
      properties: functions.flatMap(({ properties = [] }) => properties),
      services: functions.flatMap(({ services = [] }) => services),
      events: functions.flatMap(({ events = [] }) => events),
    }),
  })
