import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedRequest = { url: URL; headers: IncomingHttpHeaders; body: string }
type Answer = { status?: number; headers?: Record<string, string>; body?: string } | 'hang'

/**
 * Starts a receiver of webhooks and robot messages on this machine. It records what it gets and answers what `answer`
 * returns.
 */
export async function startReceiver(
  answer: (request: ReceivedRequest) => Answer | Promise<Answer> = () => ({}),
) {
  const requests: ReceivedRequest[] = []
  const state = { answer }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const received = {
        url: new URL(request.url!, 'http://receiver'),
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      requests.push(received)
      const sentAnswer = await state.answer(received)
      if (sentAnswer === 'hang') return
      const {
        status = 200,
        headers = {},
        body = '{"errcode":0,"errmsg":"ok","code":0}',
      } = sentAnswer
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    requests,
    state,
    url: `http://127.0.0.1:${port}/hook/secret-token-1`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>
