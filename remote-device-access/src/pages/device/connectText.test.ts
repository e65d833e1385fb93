import { formatConnectParameters, listConnectParameters } from './connectText'

const parameters = {
  name: '大堂灯',
  mqttUrl: null,
  mqttPort: 1883,
  mqttTlsPort: 8883,
  clientId: 'a1&lamp|securemode=3|',
  username: 'lamp&a1',
  password: 'ab12',
  expireTime: '2026-12-01T00:00:00.000Z',
}
const format = (change: object) =>
  formatConnectParameters(
    listConnectParameters({ ...parameters, ...change }, 'iot.local', (time) => time.slice(0, 10)),
  )

it('lists the host of the page, the encrypted port and the expiry in one text', () =>
  expect(format({})).toBe(
    [
      '主机: iot.local',
      '端口: 1883',
      'TLS: 否（加密用端口 8883）',
      '协议: MQTT 3.1.1',
      'clientId: a1&lamp|securemode=3|',
      '用户名: lamp&a1',
      '密码: ab12',
      '有效期至: 2026-12-01',
    ].join('\n'),
  ))
it.each([
  ['mqtts://broker.local', '主机: broker.local\n端口: 8883\nTLS: 是'],
  ['mqtt://10.0.0.1:1884', '主机: 10.0.0.1\n端口: 1884\nTLS: 否'],
  ['mqtts://[::1]:8884', '主机: [::1]\n端口: 8884\nTLS: 是'],
])('reads host, port and encryption from the broker URL %s', (mqttUrl, text) =>
  expect(format({ mqttUrl })).toContain(text),
)
it('says what ends unlimited parameters', () =>
  expect(format({ expireTime: null })).toContain('有效期至: 更换密钥为止'))
