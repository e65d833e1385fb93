import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import svgCaptcha from 'svg-captcha'

const lifetime = 5 * 60_000

/**
 * Draws pictures of four characters. The id carries its own proof, a time and a keyed hash of the answer, so unanswered
 * pictures need no storage. Each id is valid for one attempt within five minutes.
 */
export function captchas(key = randomBytes(32)) {
  const used = new Map<string, number>()
  const proof = (stamp: string, text: string) =>
    createHmac('sha256', key).update(`${stamp}:${text.toLowerCase()}`).digest('base64url')

  return {
    draw() {
      const { text, data } = svgCaptcha.create({
        size: 4,
        noise: 2,
        ignoreChars: '0oO1iIlL',
        color: false,
      })
      const stamp = `${Date.now().toString(36)}.${randomBytes(6).toString('base64url')}`
      return { captchaId: `${stamp}.${proof(stamp, text)}`, svg: data }
    },
    check(captchaId = '', answer = '') {
      const [time = '', salt = '', given = ''] = captchaId.split('.')
      const age = Date.now() - parseInt(time, 36)
      if (!(age >= 0 && age < lifetime) || used.has(captchaId)) return false
      for (const [id, at] of used) if (Date.now() - at > lifetime) used.delete(id)
      used.set(captchaId, Date.now())
      const digest = (text: string) => createHash('sha256').update(text).digest()
      return timingSafeEqual(digest(given), digest(proof(`${time}.${salt}`, answer)))
    },
  }
}
