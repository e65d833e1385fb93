import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** Makes the answer of the server from a code and a text. */
const toReply = (refusal: string | undefined) =>
  refusal
    ? Object.assign(new Error(refusal.slice(4)), { responseCode: Number(refusal.slice(0, 3)) })
    : null

export type ReceivedMail = { recipients: string[]; source: string; user: string }
/** Starts a mail server on this machine. It records the mails that it accepts; the password of every user is `right`. */
export async function startMailServer({
  getRefusal,
  getSenderRefusal,
  getTextRefusal,
  ...options
}: {
  secure?: boolean
  disabledCommands?: string[]
  /** Returns the code and text with which the server refuses a recipient. */
  getRefusal?: (address: string) => string | undefined
  getSenderRefusal?: () => string | undefined
  /** Returns with what the server refuses a mail after it has read it. */
  getTextRefusal?: () => string | undefined
} = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    ...options,
    authOptional: true,
    // Tests refuse or accept the certificate that the library ships, about which it would print a warning.
    logger: false,
    onAuth: ({ username, password }, _, callback) =>
      password === 'right'
        ? callback(null, { user: username })
        : callback(new Error('Invalid login')),
    onMailFrom: (_, __, callback) => callback(toReply(getSenderRefusal?.())),
    onRcptTo: ({ address }, _, callback) => callback(toReply(getRefusal?.(address))),
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = toReply(getTextRefusal?.())
        if (!refusal)
          mails.push({
            recipients: session.envelope.rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks).toString('utf8'),
            user: String(session.user ?? ''),
          })
        callback(refusal)
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    mails,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
