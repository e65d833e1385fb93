import type { StandardCategory } from '@iot/shared/contract/product/category.schema'
import {
  battery,
  bool,
  categoryInGroup,
  event,
  float,
  humidity,
  int,
  lowBattery,
  markRequired,
  temperature,
} from './functions'

const sensor = categoryInGroup('传感器')

export const sensorCategories: StandardCategory[] = [
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
]
