import type { StandardCategory } from '@iot/shared/contract/product/category.schema'
import {
  battery,
  bool,
  categoryInGroup,
  enumeration,
  event,
  float,
  lowBattery,
  markRequired,
  service,
  temperature,
} from './functions'

const access = categoryInGroup('门禁安防')
const fire = categoryInGroup('消防')

export const accessCategories: StandardCategory[] = [
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
]

export const fireCategories: StandardCategory[] = [
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
]
