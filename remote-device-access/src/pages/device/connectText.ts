import type { ConnectParameters } from '@iot/shared/contract/device/managedDevice.schema'

type Endpoint = Pick<ConnectParameters, 'mqttUrl' | 'mqttPort' | 'mqttTlsPort'>

/** Default ports of MQTT by scheme, for a broker URL without a port. */
const defaultPorts: Record<string, number> = { mqtt: 1883, mqtts: 8883, ws: 80, wss: 443 }
const secureSchemes = ['mqtts', 'wss']

/** Returns host, port and encryption of the broker; the platform's own broker has the host of this page. */
function describeBroker({ mqttUrl, mqttPort, mqttTlsPort }: Endpoint, pageHost: string) {
  if (mqttUrl) {
    const [, scheme = '', host = '', port] =
      /^(\w+):\/\/(\[[^\]]+\]|[^:/]+)(?::(\d+))?/.exec(mqttUrl) ?? []
    return {
      host,
      port: String(port ?? defaultPorts[scheme] ?? ''),
      tls: secureSchemes.includes(scheme) ? '是' : '否',
    }
  }
  return {
    host: pageHost,
    port: mqttPort === null ? '未开放' : String(mqttPort),
    tls: mqttTlsPort === null ? '否' : `否（加密用端口 ${mqttTlsPort}）`,
  }
}

/** Lists the parameters under the names that MQTT clients use. */
export function listConnectParameters(
  parameters: ConnectParameters,
  pageHost: string,
  formatTime: (time: string) => string,
): { label: string; value: string }[] {
  const broker = describeBroker(parameters, pageHost)
  const { clientId, username, password, expireTime } = parameters
  return [
    { label: '主机', value: broker.host },
    { label: '端口', value: broker.port },
    { label: 'TLS', value: broker.tls },
    { label: '协议', value: 'MQTT 3.1.1' },
    { label: 'clientId', value: clientId },
    { label: '用户名', value: username },
    { label: '密码', value: password },
    { label: '有效期至', value: expireTime ? formatTime(expireTime) : '更换密钥为止' },
  ]
}

/** Returns all parameters as one text for the clipboard. */
export const formatConnectParameters = (rows: { label: string; value: string }[]) =>
  rows.map(({ label, value }) => `${label}: ${value}`).join('\n')
