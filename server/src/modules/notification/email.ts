import type { SmtpSecurity } from '@iot/shared/contract/alarm/notificationChannel'
import { isIP } from 'node:net'
import { renderText, renderTitle, toOneLine, type Message } from './message'
import { cutText } from '../../core/cutText'
import { listCauses } from '../../core/db/outage'
import { judgeError, type Outcome } from './outcome'
import type { TargetCheck } from './targetAddress'

const connectTimeoutMs = 5_000
const socketTimeoutMs = 8_000
/** The whole exchange; a claim of a target lasts longer. */
const mailTimeoutMs = 20_000
const maxTextBytes = 100_000
const maxSubjectCharacters = 150
export const noRecipientReason = '没有收件人：没有填写收件邮箱，所选角色也没有可用的邮箱'

export type MailSettings = {
  smtpHost: string
  smtpPort: number
  smtpSecurity: SmtpSecurity
  smtpUser: string
  smtpCa: string
  sender: string
  senderName: string
  template: string
}
type MailOptions = {
  password: string | undefined
  recipients: string[]
  publicUrl: string | undefined
  targets: TargetCheck
}

const buildTransport = async (
  settings: MailSettings,
  password: string | undefined,
  targets: TargetCheck,
) => {
  const { smtpHost: host, smtpPort: port, smtpSecurity: security, smtpUser, smtpCa } = settings
  targets.assertLiteralAllowed(host)
  // The name is looked up here and the connection goes to the checked address; the certificate is compared with the name.
  const address = isIP(host) ? host : await targets.resolve(host)
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // A password is never sent in clear text.
    auth: smtpUser && security !== 'none' ? { user: smtpUser, pass: password ?? '' } : undefined,
    name: 'iot-platform',
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: {
      ...(isIP(host) ? {} : { servername: host }),
      ...(smtpCa ? { ca: smtpCa } : {}),
    },
  })
}

const rejectAfter = (ms: number) => {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })), ms)
  })
  return { promise, stop: () => clearTimeout(timer) }
}

/** Sends a mail; the message id is the same in every attempt. */
export async function sendMail(
  message: Message,
  settings: MailSettings,
  { password, recipients, publicUrl, targets }: MailOptions,
): Promise<Outcome> {
  if (recipients.length === 0)
    return {
      verdict: 'final',
      statusCode: null,
      code: '',
      answer: noRecipientReason,
    }
  const deadline = rejectAfter(mailTimeoutMs)
  let transport: Awaited<ReturnType<typeof buildTransport>> | undefined
  try {
    transport = await buildTransport(settings, password, targets)
    const { response, rejectedErrors = [] } = await Promise.race([
      transport.sendMail({
        from: { name: settings.senderName, address: settings.sender },
        to: recipients,
        subject: cutText(toOneLine(renderTitle(message)), maxSubjectCharacters),
        text: renderText(message, {
          template: settings.template,
          publicUrl,
          maxBytes: maxTextBytes,
        }),
        messageId: `<${message.id}@${settings.sender.split('@')[1]}>`,
        headers: { 'X-Notification-Id': message.id, 'Auto-Submitted': 'auto-generated' },
      }),
      deadline.promise,
    ])
    return judgeAcceptance(response, rejectedErrors)
  } catch (error) {
    return judgeMailError(error)
  } finally {
    deadline.stop()
    transport?.close()
  }
}

type RecipientError = { recipient?: string; responseCode?: number; response?: string }
/** A mail that the server accepts for some recipients is sent again to those whom it refuses for a while only. */
function judgeAcceptance(response: string, refusals: RecipientError[]): Outcome {
  const describe = ({ recipient = '', response: reason = '' }: RecipientError) =>
    `${recipient}（${reason.slice(0, 100)}）`
  const remainingRecipients = refusals
    .filter(({ responseCode = 0 }) => responseCode < 500)
    .flatMap(({ recipient }) => recipient ?? [])
  const answer = response.slice(0, 300)
  return {
    verdict: remainingRecipients.length > 0 ? 'retry' : 'sent',
    statusCode: null,
    code: response.slice(0, 3),
    answer:
      refusals.length > 0
        ? `部分收件人不被接受：${refusals.map(describe).join('、').slice(0, 500)}；其余：${answer}`
        : answer,
    ...(remainingRecipients.length > 0 && { remainingRecipients }),
  }
}

/** These concern the session or the login, whichever command the server answers by them (RFC 5321, RFC 4954). */
const sessionReplies = new Set([500, 502, 503, 504, 521, 530, 534, 535, 538])
/** The server refuses the recipients or the text, and may accept those of another message. */
const isAboutMessage = (command: string, reply: number) =>
  reply >= 500 && !sessionReplies.has(reply) && (command === 'RCPT TO' || command === 'DATA')

const finalCodes = new Set(['EAUTH', 'ENOAUTH', 'EENVELOPE', 'EMESSAGE', 'ETLS'])
const mailErrorTexts: Record<string, string> = {
  EAUTH: '登录名或密码不被接受',
  ENOAUTH: '服务器要求登录，请填写登录名和密码',
  ETLS: '不能建立加密连接：服务器没有提供 STARTTLS，或加密方式与端口不符',
  ESOCKET: '不能建立连接：加密方式与端口不符，或证书不受信任',
  ETIMEDOUT: '服务器没有及时应答：请检查地址、端口和加密方式',
  EENVELOPE: '发件人或收件人不被接受',
}
/** These say more than the step of the exchange at which the server answered them. */
const replyTexts: Record<number, string> = {
  530: mailErrorTexts.ENOAUTH!,
  552: '邮件或邮箱超过服务器的限制',
  554: '服务器拒绝了这封邮件',
}

/** A mail server answers 4xx for a while and 5xx for good; without an answer the connection failed. */
function judgeMailError(error: unknown): Outcome {
  const {
    code = '',
    command = '',
    responseCode,
    response = '',
  } = error as {
    code?: string
    command?: string
    responseCode?: number
    response?: string
  }
  const general = judgeError(error)
  if (general.verdict === 'final' || (!mailErrorTexts[code] && !responseCode)) return general
  const tlsCause = listCauses(error).find((cause) => /certificate|self.signed/i.test(cause.message))
  const isTemporary = responseCode ? responseCode < 500 : !finalCodes.has(code)
  return {
    verdict: isTemporary
      ? 'retry'
      : isAboutMessage(command, responseCode ?? 0)
        ? 'refused'
        : 'final',
    statusCode: null,
    code: responseCode ? String(responseCode) : code,
    answer: [
      tlsCause ? '服务器的证书不受信任' : (replyTexts[responseCode ?? 0] ?? mailErrorTexts[code]),
      response.slice(0, 300),
    ]
      .filter(Boolean)
      .join('：'),
  }
}
