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
  temperature,
} from './functions'

const energy = categoryInGroup('能源')

export const energyCategories: StandardCategory[] = [
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
]
