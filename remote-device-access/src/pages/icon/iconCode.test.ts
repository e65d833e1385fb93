import { IconDraft } from '@iot/shared/contract/icon'
import { createIconCode } from './iconCode'

test('a plain name is the code', () => expect(createIconCode('lamp_on-2')).toBe('lamp_on-2'))

test('names that differ in Chinese alone get codes that differ', () => {
  const codes = ['灯-开', '灯-关', '开1', '关1', '灯 on', 'on'].map(createIconCode)
  expect(new Set(codes).size).toBe(6)
  for (const code of codes) expect(IconDraft.shape.code.parse(code)).toBe(code)
})
