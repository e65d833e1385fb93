import { createSpaceTree } from '@iot/shared/plan/spaces'
import { interpretSentence } from './grammar'
import { createSpace } from '../space.fixture'

/** Two buildings of three floors with equal names; 大堂, 展厅 and 监控室 exist once. */
const tree = createSpaceTree(
  ['A', 'B'].flatMap((building) => [
    createSpace(building, null, 'building', `科创大厦 ${building} 座`),
    ...[1, 2, 3].flatMap((floor) => {
      const id = `${building}${floor}`
      return [
        createSpace(id, building, 'floor', `${floor} 层`),
        createSpace(`${id}走廊`, id, 'area', '走廊'),
        createSpace(`${id}茶水间`, id, 'room', '茶水间'),
        createSpace(`${id}办公区`, id, 'area', '开放办公区'),
        createSpace(`${id}01`, id, 'room', `会议室 ${floor}01`),
        createSpace(`${id}02`, id, 'room', `会议室 ${floor}02`),
      ]
    }),
    ...(building === 'A'
      ? [createSpace('大堂', 'A1', 'area', '大堂'), createSpace('监控室', 'A1', 'room', '监控室')]
      : [createSpace('展厅', 'B1', 'area', '展厅')]),
  ]),
)
const scenes = [
  { id: 's1', name: '下班' },
  { id: 's2', name: '夜间巡检' },
  { id: 's3', name: '立即关灯' },
]
const groups = [
  { id: 'g1', name: '应急灯' },
  { id: 'g2', name: '景观灯' },
]

/** Writes a reading in one line: `关 A1+A2`, `问 state 大堂`, `10 分钟后 关 大堂`, `拒绝：没有找到…`. */
function formatReading(sentence: string, hereId?: string) {
  const reading = interpretSentence(sentence, { tree, scenes, groups, here: tree.get(hereId) })
  if (reading.kind === 'unclear') return `拒绝：${reading.why}`
  if (reading.kind === 'scene') return `场景 ${reading.name}`
  const { space, spaces, group } = reading
  const places = group?.name ?? (spaces ?? [space]).map((place) => place?.id ?? '全项目').join('+')
  if (reading.kind === 'question') return `问 ${reading.asks} ${places}`
  const change =
    reading.kind === 'switch'
      ? reading.on
        ? '开'
        : '关'
      : reading.kind === 'brightness' || reading.kind === 'temperature'
        ? `${reading.kind} ${reading.value}`
        : `${reading.kind} ${reading.by}`
  const keptPlaces = reading.except?.spaces.map(({ id }) => id).join('+')
  return [
    reading.delayMinutes && `${reading.delayMinutes} 分钟后`,
    change,
    places,
    keptPlaces && `除 ${keptPlaces}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** A dot, a comma or a blank between two numbers changes what they mean. */
const numbers = [
  ['1.5小时后关大堂', '90 分钟后 关 大堂'],
  ['0.5小时后关大堂', '30 分钟后 关 大堂'],
  [
    '2.5分钟后关大堂',
    '拒绝：口令可以立即执行，或延时 1 分钟到 24 小时，例如“十分钟后关掉三层”；别的时间请在场景里设置定时',
  ],
  ['大堂调到5.5%', '拒绝：亮度请说整数，例如“大堂调到百分之三十”'],
  ['关A座1,2层', '关 A1+A2'],
  ['关A座1，2层', '关 A1+A2'],
  ['关A座一，二层', '关 A1+A2'],
  ['关A座①②层', '关 A1+A2'],
  ['关A座1层，2层', '关 A1+A2'],
  ['关1 2层', '拒绝：没有找到“1 2层”'],
  ['关A座三 层', '关 A3'],
  ['大堂调到4,000K', 'temperature 4000 大堂'],
  ['大堂调到30%。', 'brightness 30 大堂'],
  ['大堂色温调到4千', 'temperature 4000 大堂'],
  ['大堂调到3千K', 'temperature 3000 大堂'],
  ['色温三五〇〇', 'temperature 3500 全项目'],
  ['关两层', '拒绝：“两层”可能是二层，也可能是两个楼层，请说“二层”，或说出每一层'],
  ['A座两层都关', '拒绝：“两层”可能是二层，也可能是两个楼层，请说“二层”，或说出每一层'],
]
const questions = [
  ['大堂的灯关了吗', '问 state 大堂'],
  ['大堂灯关了没', '问 state 大堂'],
  ['大堂的灯关了没有', '问 state 大堂'],
  ['大堂的灯关没关', '问 state 大堂'],
  ['大堂的灯关了？', '问 state 大堂'],
  ['大堂的灯关了嘛', '问 state 大堂'],
  ['大堂没关灯吗', '问 state 大堂'],
  ['大堂的灯没关吗', '问 state 大堂'],
  ['大堂的灯还亮着吗', '问 state 大堂'],
  ['大堂的灯是开着的吗', '问 state 大堂'],
  ['大堂灯是开着还是关着', '问 state 大堂'],
  ['大堂灯亮不亮', '问 state 大堂'],
  ['大堂的灯什么状态', '问 state 大堂'],
  ['大堂的灯怎么样', '问 state 大堂'],
  ['请问大堂的灯开着吗', '问 state 大堂'],
  ['帮我看一下大堂的灯关了没', '问 state 大堂'],
  ['A座三楼还有灯亮着吗', '问 state A3'],
  ['A座三层有没有灯没关', '问 state A3'],
  ['A座三层还有没关的灯吗', '问 state A3'],
  ['A座还有开着的灯吗', '问 state A'],
  ['查一下A座的灯还有没有亮着的', '问 state A'],
  ['A座的灯全关了吗', '问 state A'],
  ['A座B座的灯都关了吗', '问 state A+B'],
  ['A座一到三层的灯关了吗', '问 state A1+A2+A3'],
  ['所有灯都关了吗', '问 state 全项目'],
  ['整个项目还有灯亮着吗', '问 state 全项目'],
  ['应急灯开着吗', '问 state 应急灯'],
  ['A座开着几盏灯', '问 count A'],
  ['大堂还有几盏没关', '问 count 大堂'],
  ['A座还有多少盏灯没关', '问 count A'],
  ['应急灯有多少盏没开', '问 count 应急灯'],
  ['哪里还亮着灯', '问 places 全项目'],
  ['还有哪些灯亮着', '问 places 全项目'],
  ['A座哪些房间灯没关', '问 places A'],
  ['哪几层的灯没关', '问 floors 全项目'],
  ['B座哪一层还有灯', '问 floors B'],
]
const enumerations = [
  ['A座B座都关', '关 A+B'],
  ['关掉A座和B座', '关 A+B'],
  ['A座、B座全部关灯', '关 A+B'],
  ['把A座B座的灯都关掉', '关 A+B'],
  ['关A座一层二层三层的灯', '关 A1+A2+A3'],
  ['关A座一层、二层三层的灯', '关 A1+A2+A3'],
  ['关A座一、二、三层', '关 A1+A2+A3'],
  ['关掉A座一到三层', '关 A1+A2+A3'],
  ['大堂展厅监控室都打开', '开 大堂+展厅+监控室'],
  ['打开A座一层走廊和茶水间', '开 A1走廊+A1茶水间'],
  ['打开A座一层走廊茶水间', '开 A1走廊+A1茶水间'],
  ['A座所有走廊关灯', '关 A1走廊+A2走廊+A3走廊'],
  ['A座每层走廊都关', '关 A1走廊+A2走廊+A3走廊'],
  ['A座各层的茶水间调到百分之三十', 'brightness 30 A1茶水间+A2茶水间+A3茶水间'],
  ['B座三层会议室301和302关灯', '关 B301+B302'],
  ['A座除了大堂走廊都关', '关 A 除 大堂+A1走廊'],
  ['保留大堂，其他全关', '关 全项目 除 大堂'],
  ['大堂留着别的都关', '关 全项目 除 大堂'],
  ['A座除一层外都关', '关 A 除 A1'],
  ['十分钟后关A座和B座', '10 分钟后 关 A+B'],
]
const commands = [
  ['大堂灭灯', '关 大堂'],
  ['大堂的灯灭掉', '关 大堂'],
  ['大堂灯开开', '开 大堂'],
  ['大堂关一下灯', '关 大堂'],
  ['开个灯', '开 全项目'],
  ['大堂暗点儿', 'change -20 大堂'],
  ['大堂亮一点儿', 'change 20 大堂'],
  ['大堂4000K', 'temperature 4000 大堂'],
  ['能不能把大堂的灯关了？', '关 大堂'],
  ['景观灯打开', '开 景观灯'],
  ['下班了', '场景 下班'],
  ['立即关灯', '场景 立即关灯'],
  ['现在关大堂', '关 大堂'],
  ['您好，请马上关大堂的灯', '关 大堂'],
  ['能不能关大堂？谢谢', '关 大堂'],
  ['关上大堂', '关 大堂'],
  ['关A座一层走廊和B座一层走廊', '关 A1走廊+B1走廊'],
]
/** Each would be a wrong number if its characters were read one by one. */
const roughNumbers = [
  '大堂调到三四十',
  '大堂调到二十三十',
  '大堂调到十二十',
  '大堂调到五六十',
  '大堂调到百分之五六十',
  '大堂调到百分之三五',
  '大堂调到三五',
  '大堂调到四五成',
  '大堂调到1十%',
  '大堂调到五0',
  '大堂调到2千7K',
  '大堂调暗二三十',
  '大堂降低两三成',
  '两三分钟后关大堂',
  '三五分钟后关大堂',
  '二三十分钟后关大堂',
  '5十分钟后关大堂',
  '十0分钟后关大堂',
  '两三小时后关大堂',
  '关三四十层',
  '关A座2三层',
]
const refusals = [
  ['关大堂的灯？谢谢', '不清楚是要查询还是控制'],
  ['关上一层', '“关上一层”可能是一层，也可能是上面一层'],
  ['大堂调亮10', '可以有两种意思'],
  ['大堂调高80', '可以有两种意思'],
  ['关A座二层和三层走廊', '可以有两种意思'],
  ['A座一到三层走廊关灯', '可以有两种意思'],
  ['关A座一、二、三层走廊', '可以有两种意思'],
  ['关大堂的灯？', '不清楚是要查询还是控制'],
  ['开灯？', '不清楚是要查询还是控制'],
  ['下班？', '不清楚是要查询还是控制'],
  ['能把大堂的灯关了吗', '没有找到“能把大堂”'],
  ['大堂的灯可以关了吗', '没有听懂'],
  ['可以关一下大堂的灯吗', '没有听懂'],
  ['大堂的灯要不要关', '没有找到'],
  ['为什么大堂的灯没关', '没有找到'],
  ['谁关了大堂的灯', '没有听懂'],
  ['昨晚大堂的灯关了吗', '没有找到“昨晚大堂”'],
  ['大堂灯坏了吗', '没有听懂'],
  ['大堂的灯亮了', '没有听懂'],
  ['大堂的灯灭了', '没有听懂'],
  ['大堂太暗了', '没有听懂'],
  ['A座关B座开', '没有找到“A座关B座”'],
  ['打开大堂关掉展厅', '没有找到“大堂关掉展厅”'],
  ['A座B座三层关灯', '没有找到“A座B座三层”'],
  ['关掉A座和B座三层', '可以有两种意思'],
  ['B座大堂关灯', '没有找到“B座大堂”'],
  ['二层展厅关灯', '没有找到“二层展厅”'],
  ['A座二层大堂关灯', '没有找到“A座二层大堂”'],
  ['关A座一二三层', '“一二三层”可能是几层，请说“一层和二层和三层”'],
  ['关一到三楼的灯', '“一到三楼”有 2 处'],
  ['打开三零一', '“三零一”有 2 处'],
  ['关掉301302', '没有找到“301302”'],
  ['大堂灯亮着就关掉', '没有找到“大堂灯亮着就”'],
  ['大堂先别关', '没有找到“大堂先别”'],
  ['别关灯了', '没有找到'],
  ['只开大堂', '没有听懂'],
  ['A座只留大堂', '没有听懂'],
  ['大堂开十分钟', '没有听懂'],
  ['每天八点开大堂', '请在场景里设置定时'],
  ['取消十分钟后的关灯', '口令不能取消或撤销'],
  ['执行下班和夜间巡检', '没有听懂'],
  ['五分钟后大堂的灯关了吗', '只能查询灯现在的状态'],
  ['A座一层除了大堂都关了吗', '没有找到“A座一层除了大堂”'],
  ['关闭应急灯和景观灯', '没有找到'],
]

it.each([...questions, ...numbers, ...enumerations, ...commands])(
  'reads %s as %s',
  (sentence, reading) => expect(formatReading(sentence!)).toBe(reading),
)
it.each(refusals)('refuses %s: %s', (sentence, reason) =>
  expect(formatReading(sentence!)).toMatch(new RegExp(`^拒绝：.*${reason!}`)),
)

it.each(roughNumbers)('refuses the number of %s', (sentence) =>
  expect(formatReading(sentence)).toMatch(/^拒绝/),
)
it('refuses a command with a negation at any place', () => {
  const commandSentences = [
    '打开大堂的灯',
    '大堂调到百分之三十',
    '十分钟后关大堂',
    'A座一到三层都关',
    '大堂亮一点',
    '关灯',
  ]
  const negations = [
    '不',
    '别',
    '没',
    '不要',
    '勿',
    '莫',
    '甭',
    '停止',
    '禁止',
    '取消',
    '不准',
    '休',
  ]
  for (const sentence of commandSentences)
    for (const negation of negations)
      for (let index = 0; index <= sentence.length; index++) {
        const negated = sentence.slice(0, index) + negation + sentence.slice(index)
        expect([negated, formatReading(negated)]).toEqual([
          negated,
          expect.stringMatching(/^(?:拒绝|问)/),
        ])
      }
})

it.each([
  ['三楼还有灯亮着吗', '问 state B3'],
  ['这一层的灯都关了吗', '问 state B3'],
  ['灯开着吗', '问 state B3'],
  ['都关了没', '问 state B3'],
  ['全楼的灯都灭了吗', '问 state B'],
  ['关掉全楼的灯', '关 B'],
  ['关B座，会议室301留着', '关 B 除 B301'],
  ['关B座三层，会议室301别关', '关 B3 除 B301'],
  ['B座一层调到百分之三十，展厅不变', 'brightness 30 B1 除 展厅'],
  ['会议室301和302都关了吗', '问 state B301+B302'],
  ['哪里的灯没关', '问 places 全项目'],
  ['走廊茶水间关灯', '关 B3走廊+B3茶水间'],
  ['一楼二楼三楼的灯都打开', '开 B1+B2+B3'],
  ['走廊、茶水间、开放办公区调到百分之四十', 'brightness 40 B3走廊+B3茶水间+B3办公区'],
  ['三楼除了301和302都关', '关 B3 除 B301+B302'],
  ['打开开放办公区', '开 B3办公区'],
  ['关走廊和二楼', '关 B3走廊+B2'],
])('reads %s on a floor as %s', (sentence, reading) =>
  expect(formatReading(sentence, 'B3')).toBe(reading),
)
