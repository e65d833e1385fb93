import type { StandardCategory } from '@iot/shared/contract/product/category.schema'
import {
  bool,
  categoryInGroup,
  electricity,
  enumeration,
  event,
  fault,
  float,
  int,
  markRequired,
  power,
  service,
} from './functions'

const water = categoryInGroup('给排水')
const transport = categoryInGroup('电梯与车场')
const edge = categoryInGroup('网关与控制')

export const waterCategories: StandardCategory[] = [
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
]

export const transportCategories: StandardCategory[] = [
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
]

export const edgeCategories: StandardCategory[] = [
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
