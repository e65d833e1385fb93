import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import svgCaptcha from 'svg-captcha'

const captchaLifetimeMs = 5 * 60_000

/**
 * Draws pictures of four characters. The id carries its own proof, a time and a keyed hash of the answer, so unanswered
 * pictures need no storage. Each id is valid for one attempt within five minutes.
 */
export function createCaptchas(key = randomBytes(32)) {
  const usedCaptchaIds = new Map<string, number>()
  const signAnswer = (nonce: string, text: string) =>
    createHmac('sha256', key).update(`${nonce}:${text.toLowerCase()}`).digest('base64url')

  return {
    draw() {
      const { text, data } = svgCaptcha.create({
        size: 4,
        noise: 2,
        ignoreChars: '0oO1iIlL',
        color: false,
      })
      const nonce = `${Date.now().toString(36)}.${randomBytes(6).toString('base64url')}`
      return { captchaId: `${nonce}.${signAnswer(nonce, text)}`, svg: data }
    },
    check(captchaId = '', answer = '') {
      const [time = '', salt = '', signature = '', ...rest] = captchaId.split('.')
      const ageMs = Date.now() - parseInt(time, 36)
      // An id with further parts would carry the same proof, but would count as unused.
      if (rest.length > 0 || usedCaptchaIds.has(captchaId)) return false
      if (!(ageMs >= 0 && ageMs < captchaLifetimeMs)) return false
      for (const [id, usedAt] of usedCaptchaIds)
        if (Date.now() - usedAt > captchaLifetimeMs) usedCaptchaIds.delete(id)
      usedCaptchaIds.set(captchaId, Date.now())
      const digest = (text: string) => createHash('sha256').update(text).digest()
      return timingSafeEqual(digest(signature), digest(signAnswer(`${time}.${salt}`, answer)))
    },
  }
}
