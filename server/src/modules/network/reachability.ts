import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

const timeoutMs = 5000
const errorText: Record<string, string> = {
  ECONNREFUSED: '连接被拒绝',
  ENOTFOUND: '找不到主机',
  EHOSTUNREACH: '主机不可达',
  ETIMEDOUT: '连接超时',
}

/** Opens a connection, with TLS if the component uses it, and closes it; no data is sent. */
export async function testReachability({
  address,
  port,
  secure,
}: {
  address: string
  port: number
  secure: boolean
}) {
  const startMs = performance.now()
  // The check concerns reachability only, so the certificate is not verified.
  const socket: Socket = secure
    ? connectTls({ host: address, port, rejectUnauthorized: false })
    : connect({ host: address, port })
  const reason = await new Promise<string>((resolve) => {
    socket.once(secure ? 'secureConnect' : 'connect', () => resolve(''))
    socket.setTimeout(timeoutMs, () => resolve('连接超时'))
    socket.on('error', ({ code = '', message }: NodeJS.ErrnoException) =>
      resolve(errorText[code] ?? message),
    )
    socket.on('close', () => resolve('连接被断开'))
  })
  socket.destroy()
  return { ok: reason === '', milliseconds: Math.round(performance.now() - startMs), reason }
}
