import { Name, Phone } from './fields'
import { foldSearch, normalizePhone, refuseInvisible } from './text'

it.each([
  ['138 0013 8000', '13800138000'],
  ['+86 138-0013-8000', '13800138000'],
  ['+8613800138000', '13800138000'],
  ['（０７５５）１２３４５６７８', '0755-12345678'],
  ['075512345678', '0755-12345678'],
  ['0755-12345678-801', '0755-12345678-801'],
  ['0755－12345678 转 801', '0755-12345678-801'],
  ['010 61234567', '010-61234567'],
  ['02161234567', '021-61234567'],
  ['+86 755 12345678', '0755-12345678'],
  ['+86 10 6123 4567', '010-61234567'],
  ['400 820 8820', '400-820-8820'],
  ['4008208820', '400-820-8820'],
  ['800-820-8820', '800-820-8820'],
  ['95588', '95588'],
  ['955 88', '95588'],
  ['96110', '96110'],
  ['12345', '12345'],
  ['10086', '10086'],
  ['', ''],
])('stores the number %s as %s, and that as itself', (given, stored) => {
  expect(Phone.parse(given)).toBe(stored)
  expect(Phone.parse(stored)).toBe(stored)
})

it.each(['12345678901234', '138001380', '400-600', '0755-123', '电话', '0755-12345678-1234567'])(
  'refuses %s and leaves it as it is',
  (given) => {
    expect(Phone.safeParse(given).success).toBe(false)
    expect(normalizePhone(given)).toBe(given)
  },
)

it.each([
  ['大堂\u200B灯', 'U+200B（零宽空格）'],
  ['大堂\u00AD灯', 'U+00AD（软连字符）'],
  ['\u202E灯', 'U+202E（格式字符）'],
  ['灯\u2063', 'U+2063（格式字符）'],
  ['a\uFEFFb', 'U+FEFF（字节顺序标记）'],
  ['a\u0007', 'U+0007（控制字符）'],
  ['\u{E0041}灯', 'U+E0041（格式字符）'],
  ['ㅤ灯', 'U+3164（格式字符）'],
  ['灯\uFFFD', '乱码（U+FFFD）'],
])('names the character that cannot be seen: %j', (text, name) => {
  expect(refuseInvisible(text, '名称')).toContain(name)
  expect(Name.safeParse(text).error?.issues[0]?.message).toContain(name)
})

it('leaves line breaks and what can be seen alone', () =>
  expect(refuseInvisible('一\n二\t（三）é😀 👨‍👩‍👧', '说明')).toBeUndefined())

it('stores a name in one form', () => expect(Name.parse(' Cafe\u0301 ')).toBe('Caf\u00E9'))

it.each([
  ['ＡＢ区（１）', 'ab区(1)'],
  [' Cafe\u0301　A ', 'caf\u00E9 a'],
])('compares %s as %s', (text, folded) => expect(foldSearch(text)).toBe(folded))
