import { IconDraft } from '@iot/shared/contract/product/icon.schema'
import { createIconCode } from './iconCode'

test('converts a plain name to the code', () =>
  expect(createIconCode('lamp_on-2')).toBe('lamp_on-2'))

test('generates different codes for names that differ only in Chinese characters', () => {
  const codes = ['灯-开', '灯-关', '开1', '关1', '灯 on', 'on'].map(createIconCode)
  expect(new Set(codes).size).toBe(6)
  for (const code of codes) expect(IconDraft.shape.code.parse(code)).toBe(code)
})
