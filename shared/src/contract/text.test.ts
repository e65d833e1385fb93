import { Name, Phone } from './fields.schema'
import {
  normalizeForSearch,
  normalizePhone,
  explainInvisibleCharacter,
  explainLookalike,
} from './text'

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
  ['+86-10-12345678', '010-12345678'],
  ['(+86)10-12345678', '010-12345678'],
  ['86-10-12345678', '010-12345678'],
  ['0086-755-12345678', '0755-12345678'],
  ['+86 (0)10 12345678', '010-12345678'],
  ['0755-12345678（801）', '0755-12345678-801'],
  ['0755-12345678x801', '0755-12345678-801'],
  ['400-820-8820转1', '400-820-8820-1'],
  ['400-8208-820', '400-820-8820'],
  ['95588', '95588'],
  ['955 88', '95588'],
  ['96110', '96110'],
  ['12345', '12345'],
  ['10086', '10086'],
  ['', ''],
])(
  'stores the phone number %s as %s and leaves the stored form unchanged',
  (enteredNumber, storedNumber) => {
    expect(Phone.parse(enteredNumber)).toBe(storedNumber)
    expect(Phone.parse(storedNumber)).toBe(storedNumber)
  },
)

it.each(['12345678901234', '138001380', '400-600', '0755-123', '电话', '0755-12345678-1234567'])(
  'refuses %s and does not reformat it',
  (invalidNumber) => {
    expect(Phone.safeParse(invalidNumber).success).toBe(false)
    expect(normalizePhone(invalidNumber)).toBe(invalidNumber)
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
  ['灯\uFE00', 'U+FE00（格式字符）'],
  ['灯\u{E0100}', 'U+E0100（格式字符）'],
  ['\u180B灯', 'U+180B（格式字符）'],
  ['灯\u2800', 'U+2800（格式字符）'],
  ['灯\uFFFC', 'U+FFFC（格式字符）'],
  ['灯\uFFFE', 'U+FFFE（格式字符）'],
])('names the invisible character %j', (text, name) => {
  expect(explainInvisibleCharacter(text, '名称')).toContain(name)
  expect(Name.safeParse(text).error?.issues[0]?.message).toContain(name)
})

it('accepts line breaks and visible characters', () =>
  expect(explainInvisibleCharacter('一\n二\t（三）é😀 👨‍👩‍👧', '说明')).toBeUndefined())

it.each([
  ['\u0410座', '西里尔字母 U+0410，看起来像“A”，请改为“A”'],
  ['B\u0391区', '希腊字母 U+0391，看起来像“A”，请改为“A”'],
  ['1F-走廊-\u041E2', '请改为“O”'],
  ['\u2F08行道', '部首字符 U+2F08，请改为汉字“人”'],
  ['\u2EA0灯', '部首字符 U+2EA0，请改为相应的汉字'],
  ['A\u20111', '特殊连字符 U+2011，请改为“-”'],
  ['A\u22121', '特殊连字符 U+2212，请改为“-”'],
  ['\u{1D400}座', '公式字符 U+1D400，请改为“A”'],
  ['A\u00A0座', '特殊空格 U+00A0，请改为普通空格'],
  ['A\u2003座', '特殊空格 U+2003'],
])('refuses a look-alike character in a name and suggests the correct one: %j', (text, reason) => {
  expect(explainLookalike(text, '名称')).toContain(reason)
  expect(Name.safeParse(text).error?.issues[0]?.message).toContain(reason)
})

it.each([
  'Москва 一层',
  'Αθήνα',
  '10 kΩ 电阻',
  '5 μm 滤芯',
  'UPS / 配电间',
  'Café',
  '1\uFE0F⃣ 区',
  '❤️ 灯',
])('accepts the name %s unchanged', (text) => expect(Name.parse(text)).toBe(text))

it('normalises a name to one Unicode form', () =>
  expect(Name.parse(' Cafe\u0301 ')).toBe('Caf\u00E9'))

it.each([
  ['ＡＢ区（１）', 'ab区(1)'],
  [' Cafe\u0301　A ', 'caf\u00E9a'],
])('normalises %s to %s for search', (text, normalizedText) =>
  expect(normalizeForSearch(text)).toBe(normalizedText),
)
