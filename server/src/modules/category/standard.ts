import type { StandardCategory } from '@iot/shared/contract/product/category.schema'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import type { z } from 'zod'

/** Model of a single function; the model of a category combines several of them. */
type ModelDraft = z.input<typeof ThingModel>
type Properties = Required<Pick<ModelDraft, 'properties'>>
type Property = Properties['properties'][number]
type Event = NonNullable<ModelDraft['events']>[number]

const property = (
  identifier: string,
  name: string,
  accessMode: Property['accessMode'],
  dataType: Property['dataType'],
): Properties => ({ properties: [{ identifier, name, accessMode, dataType }] })
const markRequired = ({ properties }: Properties): Properties => ({
  properties: properties.map((item) => ({ ...item, required: true })),
})
const bool = (
  identifier: string,
  name: string,
  offText: string,
  onText: string,
  accessMode: Property['accessMode'] = 'rw',
) => property(identifier, name, accessMode, { type: 'bool', specs: { 0: offText, 1: onText } })
const int = (
  identifier: string,
  name: string,
  min: number,
  max: number,
  unit?: string,
  accessMode: Property['accessMode'] = 'r',
) => property(identifier, name, accessMode, { type: 'int', specs: { min, max, step: 1, unit } })
const float = (
  identifier: string,
  name: string,
  min: number,
  max: number,
  step: number,
  unit?: string,
  accessMode: Property['accessMode'] = 'r',
) => property(identifier, name, accessMode, { type: 'double', specs: { min, max, step, unit } })
const enumeration = (
  identifier: string,
  name: string,
  words: string[],
  accessMode: Property['accessMode'] = 'rw',
) =>
  property(identifier, name, accessMode, {
    type: 'enum',
    specs: Object.fromEntries(words.map((word, index) => [index, word])),
  })
const event = (identifier: string, name: string, type: Event['type']): ModelDraft => ({
  events: [{ identifier, name, type }],
})
const service = (identifier: string, name: string): ModelDraft => ({
  services: [{ identifier, name }],
})

const power = markRequired(bool('PowerSwitch', '电源开关', '关闭', '开启'))
const brightness = int('Brightness', '亮度', 0, 100, '%', 'rw')
const colourTemperature = int('ColorTemperature', '色温', 2700, 6500, 'K', 'rw')
const battery = int('BatteryPercentage', '电池电量', 0, 100, '%')
const temperature = float('CurrentTemperature', '当前温度', -40, 120, 0.1, '°C')
const humidity = float('CurrentHumidity', '当前湿度', 0, 100, 0.1, '%RH')
const fault = event('Error', '故障上报', 'error')
const lowBattery = event('LowBattery', '低电量告警', 'alert')
const workHours = int('LightWorkHours', '累计点亮时长', 0, 1_000_000, 'h')
const electricity = [
  float('Voltage', '电压', 0, 500, 0.1, 'V'),
  float('Current', '电流', 0, 1000, 0.01, 'A'),
  float('ActivePower', '有功功率', 0, 10_000, 0.01, 'kW'),
  float('PowerFactor', '功率因数', 0, 1, 0.01),
  markRequired(float('TotalActiveEnergy', '累计用电量', 0, 99_999_999, 0.01, 'kW·h')),
]

const channel = (identifier: string, name: string) => ({
  identifier,
  name,
  dataType: { type: 'int' as const, specs: { min: 0, max: 255, step: 1 } },
})

const categoryInGroup =
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
const lighting = categoryInGroup('照明'),
  climate = categoryInGroup('暖通空调'),
  sensor = categoryInGroup('传感器'),
  energy = categoryInGroup('能源'),
  access = categoryInGroup('门禁安防')
const shading = categoryInGroup('遮阳'),
  water = categoryInGroup('给排水'),
  transport = categoryInGroup('电梯与车场'),
  fire = categoryInGroup('消防'),
  edge = categoryInGroup('网关与控制')

/** Codes of the parents under which the categories of a group are copied. */
export const groupCodes: Record<string, string> = {
  照明: 'lighting',
  暖通空调: 'climate',
  传感器: 'sensor',
  能源: 'energy',
  门禁安防: 'access',
  遮阳: 'shading',
  给排水: 'water',
  电梯与车场: 'transport',
  消防: 'fire',
  网关与控制: 'edge',
}

/**
 * Read-only library of categories from which products start. The identifiers follow Alibaba's public standard thing
 * models.
 */
export const standardCategories: StandardCategory[] = [
  lighting('Light', '灯', power, brightness, workHours, service('Identify', '闪灯定位'), fault),
  lighting(
    'TunableLight',
    '双色温灯',
    power,
    brightness,
    colourTemperature,
    workHours,
    service('Identify', '闪灯定位'),
    fault,
  ),
  lighting(
    'RGBLight',
    '彩色灯',
    power,
    brightness,
    property('RGBColor', 'RGB 颜色', 'rw', {
      type: 'struct',
      specs: [channel('Red', '红'), channel('Green', '绿'), channel('Blue', '蓝')],
    }),
    enumeration('LightMode', '灯光模式', ['白光', '彩光', '动态']),
    fault,
  ),
  lighting(
    'LightStrip',
    '灯带',
    power,
    brightness,
    colourTemperature,
    enumeration('StripEffect', '灯效', ['静态', '渐变', '流水']),
    fault,
  ),
  lighting(
    'StreetLight',
    '路灯',
    power,
    brightness,
    ...electricity,
    workHours,
    event('LampFault', '灯具故障', 'error'),
    event('Leakage', '漏电告警', 'alert'),
  ),
  lighting(
    'EmergencyLight',
    '应急照明',
    bool('PowerSwitch', '电源开关', '关闭', '开启', 'r'),
    battery,
    enumeration('EmergencyState', '应急状态', ['主电', '应急', '自检'], 'r'),
    lowBattery,
    fault,
  ),
  lighting(
    'ExitSign',
    '疏散指示灯',
    bool('PowerSwitch', '电源开关', '关闭', '开启', 'r'),
    battery,
    enumeration('Direction', '指示方向', ['左', '右', '双向']),
    lowBattery,
    fault,
  ),
  lighting(
    'DimmingModule',
    '调光模块',
    power,
    markRequired(brightness),
    int('FadeTime', '渐变时间', 0, 60_000, 'ms', 'rw'),
    fault,
  ),
  lighting(
    'SwitchPanel',
    '开关面板',
    bool('PowerSwitch_1', '第一路', '关闭', '开启'),
    bool('PowerSwitch_2', '第二路', '关闭', '开启'),
    bool('PowerSwitch_3', '第三路', '关闭', '开启'),
    bool('PowerSwitch_4', '第四路', '关闭', '开启'),
  ),
  lighting(
    'ScenePanel',
    '场景面板',
    int('SceneCount', '场景数量', 1, 16),
    event('ScenePressed', '场景按键', 'info'),
  ),

  climate(
    'AirConditioner',
    '空调',
    power,
    markRequired(float('TargetTemperature', '目标温度', 16, 32, 0.5, '°C', 'rw')),
    temperature,
    enumeration('WorkMode', '工作模式', ['自动', '制冷', '制热', '送风', '除湿']),
    enumeration('WindSpeed', '风速', ['自动', '低', '中', '高']),
    fault,
  ),
  climate(
    'FanCoil',
    '风机盘管',
    power,
    float('TargetTemperature', '目标温度', 5, 35, 0.5, '°C', 'rw'),
    temperature,
    enumeration('WindSpeed', '风速', ['自动', '低', '中', '高']),
    bool('ValveState', '水阀状态', '关闭', '打开', 'r'),
    fault,
  ),
  climate(
    'Thermostat',
    '温控器',
    power,
    markRequired(float('TargetTemperature', '目标温度', 5, 35, 0.5, '°C', 'rw')),
    temperature,
    bool('ChildLock', '童锁', '关闭', '开启'),
  ),
  climate(
    'FreshAir',
    '新风机',
    power,
    enumeration('WindSpeed', '风速', ['低', '中', '高']),
    int('FilterLife', '滤网剩余寿命', 0, 100, '%'),
    int('CO2Value', '二氧化碳浓度', 0, 5000, 'ppm'),
    event('FilterExpired', '滤网到期', 'alert'),
  ),
  climate(
    'AirHandlingUnit',
    '空调机组',
    power,
    float('SupplyTemperature', '送风温度', -20, 60, 0.1, '°C'),
    float('ReturnTemperature', '回风温度', -20, 60, 0.1, '°C'),
    int('ValveOpening', '水阀开度', 0, 100, '%', 'rw'),
    int('FanFrequency', '风机频率', 0, 60, 'Hz', 'rw'),
    fault,
  ),
  climate(
    'Chiller',
    '冷水机组',
    power,
    float('SupplyTemperature', '供水温度', 0, 30, 0.1, '°C'),
    float('ReturnTemperature', '回水温度', 0, 40, 0.1, '°C'),
    int('LoadRate', '负载率', 0, 100, '%'),
    ...electricity,
    fault,
  ),
  climate(
    'CoolingTower',
    '冷却塔',
    power,
    float('OutletTemperature', '出水温度', 0, 60, 0.1, '°C'),
    int('FanFrequency', '风机频率', 0, 60, 'Hz', 'rw'),
    fault,
  ),
  climate(
    'FloorHeating',
    '地暖',
    power,
    float('TargetTemperature', '目标温度', 5, 35, 0.5, '°C', 'rw'),
    temperature,
    bool('HeatingState', '加热状态', '停止', '加热', 'r'),
  ),
  climate(
    'Humidifier',
    '加湿器',
    power,
    int('TargetHumidity', '目标湿度', 30, 80, '%RH', 'rw'),
    humidity,
    event('WaterShortage', '缺水告警', 'alert'),
  ),
  climate(
    'AirPurifier',
    '空气净化器',
    power,
    enumeration('WindSpeed', '风速', ['自动', '低', '中', '高']),
    int('PM25', 'PM2.5', 0, 999, 'μg/m³'),
    int('FilterLife', '滤网剩余寿命', 0, 100, '%'),
  ),

  sensor(
    'TemperatureHumiditySensor',
    '温湿度传感器',
    markRequired(temperature),
    markRequired(humidity),
    battery,
    lowBattery,
  ),
  sensor(
    'IlluminanceSensor',
    '照度传感器',
    markRequired(int('LightLux', '照度', 0, 100_000, 'lux')),
    battery,
  ),
  sensor(
    'PresenceSensor',
    '人体存在传感器',
    markRequired(bool('PresenceState', '有人状态', '无人', '有人', 'r')),
    int('UnoccupiedDelay', '无人延时', 0, 3600, 's', 'rw'),
    battery,
  ),
  sensor(
    'MotionSensor',
    '人体移动传感器',
    markRequired(bool('MotionAlarmState', '移动检测', '正常', '检测到', 'r')),
    battery,
    event('MotionDetected', '检测到移动', 'info'),
  ),
  sensor(
    'AirQualitySensor',
    '空气质量传感器',
    int('PM25', 'PM2.5', 0, 999, 'μg/m³'),
    int('PM10', 'PM10', 0, 999, 'μg/m³'),
    int('CO2Value', '二氧化碳浓度', 0, 5000, 'ppm'),
    float('TVOC', 'TVOC', 0, 10, 0.01, 'mg/m³'),
    float('HCHO', '甲醛', 0, 10, 0.01, 'mg/m³'),
  ),
  sensor(
    'NoiseSensor',
    '噪声传感器',
    markRequired(float('SoundDecibelValue', '噪声', 0, 130, 0.1, 'dB')),
  ),
  sensor(
    'ContactSensor',
    '门窗传感器',
    markRequired(bool('ContactState', '门窗状态', '关闭', '打开', 'r')),
    battery,
    event('Opened', '被打开', 'alert'),
  ),
  sensor(
    'WaterLeakSensor',
    '水浸传感器',
    markRequired(bool('WaterSensorState', '水浸检测', '正常', '漏水', 'r')),
    battery,
    event('WaterLeak', '漏水告警', 'alert'),
  ),
  sensor(
    'PressureSensor',
    '压力传感器',
    markRequired(float('Pressure', '压力', 0, 10, 0.001, 'MPa')),
  ),
  sensor(
    'WeatherStation',
    '气象站',
    temperature,
    humidity,
    float('WindSpeedValue', '风速', 0, 60, 0.1, 'm/s'),
    int('WindDirection', '风向', 0, 359, '°'),
    float('Rainfall', '雨量', 0, 500, 0.1, 'mm'),
    int('SolarRadiation', '太阳辐射', 0, 2000, 'W/m²'),
  ),

  energy(
    'ElectricityMeter',
    '电表',
    ...electricity,
    bool('RelayState', '合闸状态', '分闸', '合闸'),
  ),
  energy(
    'ThreePhaseMeter',
    '三相电表',
    ...['A', 'B', 'C'].flatMap((phase) => [
      float(`Voltage_${phase}`, `${phase} 相电压`, 0, 500, 0.1, 'V'),
      float(`Current_${phase}`, `${phase} 相电流`, 0, 1000, 0.01, 'A'),
    ]),
    ...electricity.slice(2),
  ),
  energy(
    'SmartBreaker',
    '智能断路器',
    power,
    ...electricity,
    temperature,
    event('Overload', '过载告警', 'alert'),
    event('Leakage', '漏电告警', 'alert'),
  ),
  energy(
    'SmartSocket',
    '智能插座',
    power,
    ...electricity,
    bool('ChildLock', '童锁', '关闭', '开启'),
  ),
  energy(
    'HeatMeter',
    '热量表',
    markRequired(float('TotalHeat', '累计热量', 0, 999_999, 0.01, 'GJ')),
    float('SupplyTemperature', '供水温度', 0, 150, 0.1, '°C'),
    float('ReturnTemperature', '回水温度', 0, 150, 0.1, '°C'),
    float('FlowRate', '瞬时流量', 0, 1000, 0.01, 'm³/h'),
  ),
  energy(
    'GasMeter',
    '燃气表',
    markRequired(float('TotalGas', '累计用气量', 0, 999_999, 0.01, 'm³')),
    bool('ValveState', '阀门状态', '关闭', '打开'),
    event('GasLeak', '燃气泄漏', 'alert'),
  ),
  energy(
    'PvInverter',
    '光伏逆变器',
    power,
    float('ActivePower', '发电功率', 0, 1000, 0.01, 'kW'),
    float('DailyEnergy', '当日发电量', 0, 10_000, 0.01, 'kW·h'),
    float('TotalEnergy', '累计发电量', 0, 99_999_999, 0.01, 'kW·h'),
    fault,
  ),
  energy(
    'EnergyStorage',
    '储能柜',
    int('SOC', '荷电状态', 0, 100, '%'),
    int('SOH', '健康状态', 0, 100, '%'),
    enumeration('RunState', '运行状态', ['待机', '充电', '放电', '故障'], 'r'),
    float('ActivePower', '有功功率', -1000, 1000, 0.1, 'kW'),
    fault,
  ),
  energy(
    'ChargingPile',
    '充电桩',
    enumeration('ChargeState', '充电状态', ['空闲', '占用', '充电中', '故障'], 'r'),
    ...electricity,
    service('StartCharge', '启动充电'),
    service('StopCharge', '停止充电'),
    fault,
  ),

  access(
    'DoorLock',
    '门锁',
    bool('LockState', '锁状态', '上锁', '未锁', 'r'),
    battery,
    service('Unlock', '远程开锁'),
    event('DoorOpen', '开门记录', 'info'),
    event('Tamper', '防拆告警', 'alert'),
    lowBattery,
  ),
  access(
    'AccessController',
    '门禁控制器',
    bool('DoorState', '门状态', '关闭', '打开', 'r'),
    service('OpenDoor', '远程开门'),
    event('CardSwipe', '刷卡记录', 'info'),
    event('ForcedOpen', '强行开门', 'alert'),
  ),
  access(
    'FaceTerminal',
    '人脸识别终端',
    float('BodyTemperature', '体温', 30, 45, 0.1, '°C'),
    service('OpenDoor', '远程开门'),
    event('FaceRecognized', '识别记录', 'info'),
  ),
  access(
    'Camera',
    '摄像机',
    bool('PowerSwitch', '电源开关', '关闭', '开启'),
    bool('RecordState', '录像状态', '停止', '录像中', 'r'),
    service('PTZControl', '云台控制'),
    event('MotionDetected', '移动侦测', 'alert'),
  ),
  access(
    'AlarmHost',
    '报警主机',
    enumeration('ArmState', '布防状态', ['撤防', '在家布防', '外出布防']),
    event('Alarm', '报警', 'alert'),
  ),

  shading(
    'Curtain',
    '窗帘',
    markRequired(int('CurtainPosition', '窗帘位置', 0, 100, '%', 'rw')),
    enumeration('CurtainOperation', '操作', ['关闭', '打开', '暂停'], 'w'),
    fault,
  ),
  shading(
    'Blind',
    '百叶窗',
    int('CurtainPosition', '百叶位置', 0, 100, '%', 'rw'),
    int('SlatAngle', '叶片角度', 0, 180, '°', 'rw'),
    fault,
  ),

  water(
    'WaterMeter',
    '水表',
    markRequired(float('TotalWater', '累计用水量', 0, 999_999, 0.01, 'm³')),
    float('FlowRate', '瞬时流量', 0, 1000, 0.01, 'm³/h'),
    bool('ValveState', '阀门状态', '关闭', '打开'),
  ),
  water(
    'WaterPump',
    '水泵',
    power,
    int('PumpFrequency', '运行频率', 0, 60, 'Hz', 'rw'),
    float('OutletPressure', '出口压力', 0, 4, 0.01, 'MPa'),
    ...electricity,
    fault,
  ),
  water(
    'WaterValve',
    '水阀',
    markRequired(int('ValveOpening', '阀门开度', 0, 100, '%', 'rw')),
    fault,
  ),
  water(
    'WaterTank',
    '水箱',
    markRequired(float('LiquidLevel', '液位', 0, 20, 0.01, 'm')),
    event('LevelHigh', '高液位告警', 'alert'),
    event('LevelLow', '低液位告警', 'alert'),
  ),

  transport(
    'Elevator',
    '电梯',
    int('CurrentFloor', '当前楼层', -10, 200),
    enumeration('RunDirection', '运行方向', ['停止', '上行', '下行'], 'r'),
    bool('DoorState', '门状态', '关闭', '打开', 'r'),
    event('Trapped', '困人告警', 'alert'),
    fault,
  ),
  transport(
    'ParkingGate',
    '车场道闸',
    bool('GateState', '道闸状态', '落下', '抬起', 'r'),
    service('OpenGate', '抬杆'),
    event('PlateRecognized', '车牌识别', 'info'),
  ),

  fire(
    'SmokeDetector',
    '烟感探测器',
    markRequired(bool('SmokeSensorState', '烟雾检测', '正常', '报警', 'r')),
    battery,
    event('SmokeAlarm', '烟雾报警', 'alert'),
    lowBattery,
  ),
  fire(
    'HeatDetector',
    '温感探测器',
    markRequired(temperature),
    event('HeatAlarm', '高温报警', 'alert'),
  ),
  fire(
    'HydrantPressure',
    '消火栓压力监测',
    markRequired(float('Pressure', '水压', 0, 2, 0.001, 'MPa')),
    battery,
    event('PressureLow', '水压过低', 'alert'),
  ),

  edge(
    'EdgeGateway',
    '边缘网关',
    int('CpuUsage', 'CPU 使用率', 0, 100, '%'),
    int('MemoryUsage', '内存使用率', 0, 100, '%'),
    int('DiskUsage', '磁盘使用率', 0, 100, '%'),
    service('Restart', '重启'),
    fault,
  ),
  edge(
    'RelayModule',
    '继电器模块',
    bool('PowerSwitch_1', '第一路', '关闭', '开启'),
    bool('PowerSwitch_2', '第二路', '关闭', '开启'),
    bool('PowerSwitch_3', '第三路', '关闭', '开启'),
    bool('PowerSwitch_4', '第四路', '关闭', '开启'),
  ),
]

/** Returns the model with which a product of the category starts. */
export const standardModel = (code: string) =>
  standardCategories.find((category) => category.code === code)!.model
