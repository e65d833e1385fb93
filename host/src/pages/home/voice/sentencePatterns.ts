import { offPattern, onPattern } from './spokenWords'

/** The change that a sentence asks of lamps. */
export type LampChange =
  | { kind: 'switch'; on: boolean }
  | { kind: 'brightness'; value: number }
  /** `by` changes the brightness by percentage points; the sentence named them if `isExact` is set. */
  | { kind: 'change'; by: number; isExact?: true }
  /** `value` is the colour temperature in kelvin. */
  | { kind: 'temperature'; value: number }
  /** `by` changes the colour temperature in kelvin; the sign tells cooler from warmer. */
  | { kind: 'tint'; by: number }

const placePattern = '(?<place>.*?)'
const valuePattern = '(?<value>%\\d+|\\d+%?|\\d成|1半|最[亮大高暗小低])'
const toPattern = '(?:到|成|至|为)'
/** 降到 30% names the brightness, but 降低 30% the difference. */
const buildAdjustPattern = (property: string) =>
  `(?:(?:调|设|改)(?:亮|暗|高|低|大|小|整|节|置|定)?(?:${property})?${toPattern}?|(?:升|降|提)(?:亮|暗|高|低|大|小)?(?:${property})?${toPattern})`
const directionPattern = '(?<way>亮|高|大|暗|低|小)'
const kelvinPattern = '(?<kelvin>\\d+)(?:k|开尔文|开)'
const tintPattern = '(?<tint>暖|冷)'
const tintDirectionPattern = '(?<tint>高|大|低|小)'
const slightlyPattern = '(?:1?点儿?|1?些)'
/** The brightness changes by this number of percentage points if the sentence names none. */
const brightnessStepPercent = 20
/** The colour temperature changes by this number of kelvin if the sentence names none. */
const tintStepKelvin = 500

type MatchGroups = Partial<Record<string, string>>
const createSwitch = (isOn: boolean) => (): LampChange => ({ kind: 'switch', on: isOn })
const createBrightness = ({ value = '' }: MatchGroups): LampChange => ({
  kind: 'brightness',
  value: parseAmount(value),
})
const createBrightnessChange = ({ way = '', value }: MatchGroups): LampChange => ({
  kind: 'change',
  by: (/[亮高大升提加]/.test(way) ? 1 : -1) * (value ? parseAmount(value) : brightnessStepPercent),
  ...(value && { isExact: true }),
})
const createTemperature = ({ kelvin }: MatchGroups): LampChange => ({
  kind: 'temperature',
  value: Number(kelvin),
})
const createTintChange = ({ tint = '' }: MatchGroups): LampChange => ({
  kind: 'tint',
  by: /[暖低小]/.test(tint) ? -tintStepKelvin : tintStepKelvin,
})
/**
 * Possible readings of a sentence, each with the words it leaves for the place; a reading counts if its place exists.
 */
export const sentencePatterns = (
  [
    [`${onPattern}(?:1下|个(?=灯))?${placePattern}`, createSwitch(true)],
    [`${placePattern}(?:${onPattern}|开开|亮起来)(?:1下)?灯?`, createSwitch(true)],
    [`${offPattern}(?:1下|个(?=灯))?${placePattern}`, createSwitch(false)],
    [`${placePattern}(?:${offPattern}(?:1下)?灯?|灭灯)`, createSwitch(false)],
    [
      `${placePattern}(?:的?亮度)?${buildAdjustPattern('亮度')}${valuePattern}(?:的?亮度)?`,
      createBrightness,
    ],
    [`${placePattern}(?:的?亮度)?开${toPattern}${valuePattern}(?:的?亮度)?`, createBrightness],
    [`${placePattern}开(?<value>1半)`, createBrightness],
    [`${placePattern}的?亮度${toPattern}?${valuePattern}`, createBrightness],
    [`${placePattern}(?<value>%\\d+|\\d+%)(?:的?亮度)?`, createBrightness],
    [
      `(?:调|设|改|降低|提高)${placePattern}(?:的?亮度)?${toPattern}${valuePattern}`,
      createBrightness,
    ],
    [
      `${placePattern}(?:再|稍微)?调${directionPattern}${slightlyPattern}?(?:亮度)?(?<value>%\\d+|\\d+%?|\\d成)?`,
      createBrightnessChange,
    ],
    [
      `${placePattern}(?:的?亮度)?(?:再|稍微)?(?<way>[升降提][亮高大暗低小]?|[加减])了?(?<value>%\\d+|\\d+%?|\\d成)`,
      createBrightnessChange,
    ],
    [`${placePattern}(?:再|稍微)?(?<way>亮|暗)${slightlyPattern}`, createBrightnessChange],
    [
      `(?:再|稍微)?调${directionPattern}${slightlyPattern}?${placePattern}(?:的?亮度)?`,
      createBrightnessChange,
    ],
    [
      `${placePattern}(?:的?亮度)(?:再|稍微)?[提调降]${directionPattern}${slightlyPattern}?`,
      createBrightnessChange,
    ],
    [`[提调降]${directionPattern}${placePattern}的?亮度`, createBrightnessChange],
    [
      `${placePattern}(?:的?色温)?${buildAdjustPattern('色温')}${kelvinPattern}(?:的?色温)?`,
      createTemperature,
    ],
    [`${placePattern}的?(?<kelvin>\\d{4,5})k`, createTemperature],
    [
      `${placePattern}的?色温(?:${buildAdjustPattern('')}|${toPattern})?(?<kelvin>\\d{4,5})k?`,
      createTemperature,
    ],
    [
      `(?:调|设|改)${placePattern}的?色温${toPattern}(?<kelvin>\\d{4,5})(?:k|开尔文|开)?`,
      createTemperature,
    ],
    [
      `${placePattern}(?:的?色温)?(?:再|稍微)?调${tintPattern}${slightlyPattern}?`,
      createTintChange,
    ],
    [`${placePattern}(?:的?色温)?(?:再|稍微)?${tintPattern}${slightlyPattern}`, createTintChange],
    [
      `(?:再|稍微)?调${tintPattern}${slightlyPattern}?${placePattern}(?:的?色温)?`,
      createTintChange,
    ],
    [
      `${placePattern}的?色温(?:再|稍微)?[提调升降]${tintDirectionPattern}${slightlyPattern}?`,
      createTintChange,
    ],
    [
      `${placePattern}的?色温(?:再|稍微)?${tintDirectionPattern}${slightlyPattern}`,
      createTintChange,
    ],
    [
      `(?:再|稍微)?[提调升降]${tintDirectionPattern}${slightlyPattern}?${placePattern}的?色温`,
      createTintChange,
    ],
  ] as const
).map(([pattern, createChange]) => [new RegExp(`^${pattern}$`), createChange] as const)

function parseAmount(amountText: string) {
  if (/^最[亮大高]$/.test(amountText)) return 100
  if (/^最[暗小低]$/.test(amountText)) return 1
  if (amountText === '1半') return 50
  return Number(amountText.replace(/[%成]/g, '')) * (amountText.endsWith('成') ? 10 : 1)
}
