import { createSpaceTree } from '@iot/shared/plan/spaces'
import { answerQuestion } from './answerQuestion'
import { interpretSentence } from './grammar'
import { parseChineseNumber } from './normalizeText'
import { createSpace } from '../space.fixture'

const tree = createSpaceTree([
  createSpace('a', null, 'building', '科创大厦 A 座'),
  createSpace('a1', 'a', 'floor', '1 层'),
  createSpace('lobby', 'a1', 'area', '大堂'),
  createSpace('a3', 'a', 'floor', '3 层'),
  createSpace('a3m', 'a3', 'room', '会议室'),
  createSpace('b', null, 'building', '科创大厦 B 座'),
  createSpace('b3', 'b', 'floor', '3 层'),
  createSpace('b3m', 'b3', 'room', '会议室'),
  createSpace('lab', 'b3', 'area', '研发一区'),
  createSpace('open', 'b3', 'area', '开放办公区'),
  createSpace('below', 'b', 'floor', 'B1'),
  createSpace('c', null, 'building', '科创大厦 C 座'),
  createSpace('c9', 'c', 'floor', '9 层'),
  createSpace('hall', 'c9', 'area', '展厅'),
])
const scenes = [
  { id: 's1', name: '下班' },
  { id: 's2', name: '夜间巡检' },
]
const groups = [
  { id: 'g1', name: '一组' },
  { id: 'g2', name: '应急灯' },
  { id: 'g3', name: '大堂' },
]
const interpret = (sentence: string, hereId?: string, knownGroups = groups.slice(0, 2)) => {
  const command = interpretSentence(sentence, {
    tree,
    scenes,
    groups: knownGroups,
    here: tree.get(hereId),
  })
  return 'space' in command || command.kind === 'question'
    ? { ...command, space: command.space?.id }
    : command
}

it.each([
  ['五', 5],
  ['十', 10],
  ['十二', 12],
  ['三十', 30],
  ['一百', 100],
  ['一百零八', 108],
  ['一百二十五', 125],
  ['一百五', 150],
  ['三千五', 3500],
  ['两千七', 2700],
  ['一千三百五', 1350],
  ['一千零五', 1005],
  ['一千零五十', 1050],
  ['一万', NaN],
  ['一万三千', NaN],
  ['三四十', NaN],
  ['十两', NaN],
  ['二百十', 210],
  ['4千', 4000],
  ['3千5百', 3500],
  ['5十', NaN],
  ['二〇三', 203],
])('reads %s', (text, number) => expect(parseChineseNumber(text)).toBe(number))

it.each([
  ['打开大堂的灯', { kind: 'switch', on: true, space: 'lobby' }],
  ['请把大堂的灯关掉。', { kind: 'switch', on: false, space: 'lobby' }],
  ['关 A座三楼会议室 灯', { kind: 'switch', on: false, space: 'a3m' }],
  ['关闭科创大厦B座三层会议室所有的灯', { kind: 'switch', on: false, space: 'b3m' }],
  ['打开研发一区照明', { kind: 'switch', on: true, space: 'lab' }],
  ['关闭 A 座', { kind: 'switch', on: false, space: 'a' }],
  ['关闭所有灯', { kind: 'switch', on: false, space: undefined }],
  ['全部打开', { kind: 'switch', on: true, space: undefined }],
  ['大堂亮度调到百分之三十', { kind: 'brightness', value: 30, space: 'lobby' }],
  ['大堂的灯调到六十', { kind: 'brightness', value: 60, space: 'lobby' }],
  ['把大堂调成50%', { kind: 'brightness', value: 50, space: 'lobby' }],
  ['关一下大堂的灯', { kind: 'switch', on: false, space: 'lobby' }],
  ['请把大堂的灯关一下', { kind: 'switch', on: false, space: 'lobby' }],
  ['打开一下研发一区的灯吧', { kind: 'switch', on: true, space: 'lab' }],
  ['大堂开到百分之五十', { kind: 'brightness', value: 50, space: 'lobby' }],
  ['把大堂的灯开到50%', { kind: 'brightness', value: 50, space: 'lobby' }],
  ['大堂的灯关掉', { kind: 'switch', on: false, space: 'lobby' }],
  ['把A座三楼灯全关了', { kind: 'switch', on: false, space: 'a3' }],
  ['大堂的灯都打开', { kind: 'switch', on: true, space: 'lobby' }],
  ['给大堂开灯', { kind: 'switch', on: true, space: 'lobby' }],
  ['大堂关灯', { kind: 'switch', on: false, space: 'lobby' }],
  ['麻烦把大堂里的灯统统关掉谢谢', { kind: 'switch', on: false, space: 'lobby' }],
  ['开放办公区的灯关掉', { kind: 'switch', on: false, space: 'open' }],
  ['打开开放办公区', { kind: 'switch', on: true, space: 'open' }],
  ['关闭整个A座', { kind: 'switch', on: false, space: 'a' }],
  ['关闭B座3F', { kind: 'switch', on: false, space: 'b3' }],
  ['负一楼关灯', { kind: 'switch', on: false, space: 'below' }],
  ['打开地下一层的灯', { kind: 'switch', on: true, space: 'below' }],
  ['灯全关了', { kind: 'switch', on: false, space: undefined }],
  ['所有的灯都关掉', { kind: 'switch', on: false, space: undefined }],
  ['大堂调到一半', { kind: 'brightness', value: 50, space: 'lobby' }],
  ['大堂的灯开一半', { kind: 'brightness', value: 50, space: 'lobby' }],
  ['大堂调到七成', { kind: 'brightness', value: 70, space: 'lobby' }],
  ['把大堂调到最亮', { kind: 'brightness', value: 100, space: 'lobby' }],
  ['大堂亮度 30%', { kind: 'brightness', value: 30, space: 'lobby' }],
  ['降低大堂亮度到三十', { kind: 'brightness', value: 30, space: 'lobby' }],
  ['调大堂到百分之五十', { kind: 'brightness', value: 50, space: 'lobby' }],
  ['大堂设置为50％的亮度', { kind: 'brightness', value: 50, space: 'lobby' }],
  ['大堂调亮一点', { kind: 'change', by: 20, space: 'lobby' }],
  ['把大堂的灯再调暗一些', { kind: 'change', by: -20, space: 'lobby' }],
  ['调暗大堂的灯', { kind: 'change', by: -20, space: 'lobby' }],
  ['降低大堂的亮度', { kind: 'change', by: -20, space: 'lobby' }],
  ['大堂亮一点', { kind: 'change', by: 20, space: 'lobby' }],
  ['切换到下班模式', { kind: 'scene', id: 's1', name: '下班' }],
  ['执行一下下班场景', { kind: 'scene', id: 's1', name: '下班' }],
  ['执行下班场景', { kind: 'scene', id: 's1', name: '下班' }],
  ['夜间巡检', { kind: 'scene', id: 's2', name: '夜间巡检' }],
])('understands %s', (sentence, command) => expect(interpret(sentence)).toEqual(command))

it.each([
  ['大堂亮度降低30%', { kind: 'change', by: -30, isExact: true, space: 'lobby' }],
  ['大堂降30%', { kind: 'change', by: -30, isExact: true, space: 'lobby' }],
  ['把大堂的亮度提高两成', { kind: 'change', by: 20, isExact: true, space: 'lobby' }],
  ['大堂亮度加20', { kind: 'change', by: 20, isExact: true, space: 'lobby' }],
  ['大堂亮度提高到80', { kind: 'brightness', value: 80, space: 'lobby' }],
  ['大堂亮度降到30%', { kind: 'brightness', value: 30, space: 'lobby' }],
  ['大堂色温降到三千', { kind: 'temperature', value: 3000, space: 'lobby' }],
])('tells the brightness from its difference: %s', (sentence, command) =>
  expect(interpret(sentence)).toEqual(command),
)
it.each(['大堂调低百分之二十', '大堂调低三成'])('asks back for %s', (sentence) =>
  expect(interpret(sentence)).toMatchObject({ kind: 'unclear' }),
)

it.each([
  ['关掉大堂以外的灯', ['lobby']],
  ['把大堂以外的都关了', ['lobby']],
  ['大堂之外全部关掉', ['lobby']],
  ['大堂留着，其他的都关了', ['lobby']],
  ['大堂和研发一区别关，其他地方都关掉', ['lobby', 'lab']],
])('keeps what %s names', (sentence, placeIds) => {
  expect(interpret(sentence)).toEqual({
    kind: 'switch',
    on: false,
    except: { spaces: placeIds.map((id) => tree.get(id)), devices: [] },
  })
})
it('refuses an exception whose verb is another one, and one that it does not find', () => {
  expect(interpret('大堂别开，其他都关掉')).toMatchObject({ kind: 'unclear' })
  expect(interpret('关掉机房以外的灯')).toMatchObject({ kind: 'unclear' })
})

it.each([
  ['关一到三楼', 'lab'],
  ['把B座2至3层关了', undefined],
])('refuses a range with a floor that does not exist: %s', (sentence, hereId) =>
  expect(interpret(sentence, hereId)).toMatchObject({ kind: 'unclear' }),
)
it('names every floor of a range', () => {
  const floors = createSpaceTree([
    createSpace('t', null, 'building', '塔楼'),
    ...[1, 2, 3, 4].map((n) => createSpace(`t${n}`, 't', 'floor', `${n} 层`)),
  ])
  for (const sentence of ['关一到三楼', '关闭1-3层', '把一层至三层的灯都关了'])
    expect(interpretSentence(sentence, { tree: floors, scenes })).toMatchObject({
      kind: 'switch',
      on: false,
      spaces: [floors.get('t1'), floors.get('t2'), floors.get('t3')],
    })
})

it.each([
  ['现在开着几盏灯', 'lab', 'lab'],
  ['现在还亮着多少盏灯？', undefined, undefined],
  ['大堂现在有几盏灯亮着', undefined, 'lobby'],
  ['A座三层会议室开着几盏灯', undefined, 'a3m'],
  ['整个项目关着多少灯', 'lab', undefined],
])('understands the question %s', (sentence, hereId, space) =>
  expect(interpret(sentence, hereId)).toEqual({ kind: 'question', asks: 'count', space }),
)

it('understands 全楼 as the shown building, and asks which one if none is shown', () => {
  expect(interpret('全楼熄灯', 'lab')).toEqual({ kind: 'switch', on: false, space: 'b' })
  expect(interpret('把整栋楼的灯都关了', 'a3m')).toEqual({ kind: 'switch', on: false, space: 'a' })
  expect(interpret('全楼熄灯')).toMatchObject({
    kind: 'unclear',
    why: expect.stringMatching(/“全楼”是哪一栋/),
  })
})

describe('the answer to a question', () => {
  const none = { on: 0, off: 0, offline: 0, inactive: 0, unknown: 0, protected: 0, reachable: 0 }
  const createCounts = (lobby: object, lab: object = {}) =>
    new Map([
      ['lobby', { spaceId: 'lobby', ...none, ...lobby }],
      ['lab', { spaceId: 'lab', ...none, ...lab }],
    ])
  const ask = (sentence: string, counts: ReturnType<typeof createCounts>) => {
    const question = interpretSentence(sentence, { tree, scenes })
    if (question.kind !== 'question') throw new Error(`${sentence} is no question`)
    return answerQuestion(question, tree, counts)
  }

  it('has numbers that add up', () => {
    const counts = createCounts(
      { on: 2, off: 1, offline: 1 },
      { on: 2, off: 1, offline: 1, unknown: 1 },
    )
    expect(ask('A座开着几盏灯', counts)).toBe('科创大厦 A 座：亮 2 盏，关 1 盏，离线 1 盏，共 4 盏')
    expect(ask('整个项目开着几盏灯', counts)).toBe(
      '整个项目：亮 4 盏，关 2 盏，未知 1 盏，离线 2 盏，共 9 盏',
    )
  })
  it.each([
    [{ off: 3 }, '的灯都关着：亮 0 盏，关 3 盏，共 3 盏'],
    [{ on: 3 }, '的灯都亮着：亮 3 盏，关 0 盏，共 3 盏'],
    [{ on: 1, off: 2 }, '还有灯亮着：亮 1 盏，关 2 盏，共 3 盏'],
    [{ off: 2, unknown: 1 }, '已知的灯都关着：亮 0 盏，关 2 盏，未知 1 盏，共 3 盏'],
    [{ on: 2, offline: 1 }, '已知的灯都亮着：亮 2 盏，关 0 盏，离线 1 盏，共 3 盏'],
    [{ unknown: 2, offline: 1 }, '的灯状态未知：亮 0 盏，关 0 盏，未知 2 盏，离线 1 盏，共 3 盏'],
    [{ on: 2, inactive: 1 }, '已知的灯都亮着：亮 2 盏，关 0 盏，未激活 1 盏，共 3 盏'],
    [{}, '没有灯'],
  ])('calls nothing all off while a lamp is unknown: %j', (lights, answer) => {
    const counts = createCounts(lights)
    for (const sentence of ['大堂的灯关了吗', '大堂的灯开着吗'])
      expect(ask(sentence, counts)).toBe(`科创大厦 A 座 1 层 大堂${answer}`)
  })
  it('names the places and floors with lamps on, and counts what is unknown', () => {
    const counts = createCounts({ on: 2, off: 1 }, { on: 1, unknown: 2 })
    expect(ask('哪里还亮着灯', counts)).toBe(
      '亮着灯：科创大厦 A 座 1 层 大堂 2 盏、科创大厦 B 座 3 层 研发一区 1 盏，另有 2 盏未知或离线',
    )
    expect(ask('B座哪几层的灯没关', counts)).toBe(
      '亮着灯：科创大厦 B 座 3 层 1 盏，另有 2 盏未知或离线',
    )
    expect(ask('A座哪些房间还亮着灯', createCounts({ off: 1 }))).toBe('没有已知亮着的灯')
  })
  it('does not leave out lamps that are on outside of every floor or place', () => {
    const outside = { ...none, on: 1 }
    const counts = new Map([
      ...createCounts({ on: 2 }),
      ['', { spaceId: '', ...outside, unknown: 1 }] as const,
      ['a', { spaceId: 'a', ...outside }] as const,
    ])
    expect(ask('哪里还亮着灯', counts)).toBe(
      '亮着灯：科创大厦 A 座 1 盏、科创大厦 A 座 1 层 大堂 2 盏，另有 1 盏亮着的灯没有位置，另有 1 盏未知或离线',
    )
    expect(ask('哪几层的灯没关', counts)).toBe(
      '亮着灯：科创大厦 A 座 1 层 2 盏，另有 2 盏亮着的灯不在楼层里，另有 1 盏未知或离线',
    )
    expect(ask('A座哪几层的灯没关', counts)).toBe(
      '亮着灯：科创大厦 A 座 1 层 2 盏，另有 1 盏亮着的灯不在楼层里',
    )
  })
  it('answers each of several places', () =>
    expect(ask('大堂和研发一区的灯关了吗', createCounts({ off: 1 }, { on: 1 }))).toBe(
      '科创大厦 A 座 1 层 大堂的灯都关着：亮 0 盏，关 1 盏，共 1 盏；科创大厦 B 座 3 层 研发一区的灯都亮着：亮 1 盏，关 0 盏，共 1 盏',
    ))
  it('is no number while the lamps are not read', () =>
    expect(answerQuestion({ kind: 'question', asks: 'state' }, tree, new Map())).toBe(
      '没有读到灯的状态',
    ))
})

it.each([
  ['大堂调到四千K', { kind: 'temperature', value: 4000, space: 'lobby' }],
  ['把大堂的色温调到三千五百', { kind: 'temperature', value: 3500, space: 'lobby' }],
  ['大堂色温 4000K', { kind: 'temperature', value: 4000, space: 'lobby' }],
  ['调大堂色温到 2700', { kind: 'temperature', value: 2700, space: 'lobby' }],
  ['大堂调暖一点', { kind: 'tint', by: -500, space: 'lobby' }],
  ['把大堂的灯再调冷一些', { kind: 'tint', by: 500, space: 'lobby' }],
  ['大堂暖一点', { kind: 'tint', by: -500, space: 'lobby' }],
  ['调冷研发一区的灯', { kind: 'tint', by: 500, space: 'lab' }],
  ['大堂调到两千七K', { kind: 'temperature', value: 2700, space: 'lobby' }],
  ['把大堂的色温调高一点', { kind: 'tint', by: 500, space: 'lobby' }],
  ['大堂色温再低一些', { kind: 'tint', by: -500, space: 'lobby' }],
  ['降低大堂的色温', { kind: 'tint', by: -500, space: 'lobby' }],
])('understands the colour temperature: %s', (sentence, command) =>
  expect(interpret(sentence)).toEqual(command),
)

it.each([
  ['打开大堂和研发一区的灯', ['lobby', 'lab'], undefined],
  ['关闭大堂和研发一区', ['lobby', 'lab'], undefined],
  ['把A座一楼和三楼的灯关了', ['a1', 'a3'], undefined],
  ['大堂、研发一区以及开放办公区关灯', ['lobby', 'lab', 'open'], undefined],
  ['把三楼和负一楼的灯都关掉', ['b3', 'below'], 'lab'],
  ['打开大堂的灯跟研发一区的灯', ['lobby', 'lab'], undefined],
  ['关闭A座三层会议室和B座三层会议室', ['a3m', 'b3m'], undefined],
])('resolves several places in %s', (sentence, places, hereId) => {
  const command = interpretSentence(sentence, { tree, scenes, here: tree.get(hereId) })
  expect(command).toMatchObject({ kind: 'switch', spaces: places.map((id) => tree.get(id)) })
})
it('sets several places', () =>
  expect(interpretSentence('大堂和研发一区调到百分之三十', { tree, scenes })).toMatchObject({
    kind: 'brightness',
    value: 30,
    spaces: [tree.get('lobby'), tree.get('lab')],
  }))

it.each([
  ['关闭 一组', { kind: 'switch', on: false, group: groups[0] }],
  ['把一组的灯打开', { kind: 'switch', on: true, group: groups[0] }],
  ['应急灯全部关掉', { kind: 'switch', on: false, group: groups[1] }],
  ['一组亮度调到百分之三十', { kind: 'brightness', value: 30, group: groups[0] }],
])('resolves a device group in %s', (sentence, command) =>
  expect(interpret(sentence)).toEqual(command),
)
it('asks back when a group and a place have the same name', () => {
  expect(interpret('关闭大堂', undefined, groups)).toEqual({
    kind: 'unclear',
    why: '“大堂”既是位置又是设备组，请改说位置的全名',
  })
  expect(interpret('关闭一层大堂', undefined, groups)).toMatchObject({ space: 'lobby' })
})

it('uses the place in view when none is named', () => {
  expect(interpret('关灯', 'a3')).toEqual({ kind: 'switch', on: false, space: 'a3' })
  expect(interpret('调暗一点', 'lobby')).toEqual({ kind: 'change', by: -20, space: 'lobby' })
  expect(interpret('这一层的灯关掉', 'lobby')).toEqual({ kind: 'switch', on: false, space: 'a1' })
  expect(interpret('关闭整栋楼', 'a3')).toEqual({ kind: 'switch', on: false, space: 'a' })
  expect(interpret('调到二十', 'lobby')).toEqual({ kind: 'brightness', value: 20, space: 'lobby' })
})
it('uses the nearest of several places with the same name, and asks when none is near', () => {
  expect(interpret('打开会议室的灯', 'b3')).toMatchObject({ space: 'b3m' })
  expect(interpret('打开三层的灯', 'a1')).toMatchObject({ space: 'a3' })
  expect(interpret('打开会议室的灯')).toEqual({
    kind: 'unclear',
    why: '“会议室”有 2 处，请说明是哪一处：科创大厦 A 座 3 层 会议室、科创大厦 B 座 3 层 会议室',
  })
})
it.each([
  ['', '请说出要做什么'],
  ['打开游泳池的灯', '没有找到“游泳池”'],
  ['今天天气怎么样', '没有听懂“今天天气怎么样”'],
  ['大堂调到二百', '亮度最多 100%'],
  ['不要关大堂的灯', '没有听懂'],
  ['大堂的灯别关', '没有找到“大堂的灯别”'],
  ['关掉除了游泳池以外的灯', '没有找到'],
  ['打开大堂关掉研发一区', '没有找到'],
  ['关闭大堂和游泳池', '没有找到“大堂和游泳池”'],
  ['打开展厅和会议室', '“会议室”有 2 处'],
  ['打开会议室和展厅的灯', '“会议室”有 2 处'],
  ['游泳池色温调高一点', '没有找到“游泳池”'],
  ['大堂色温调亮一点', '色温请说“大堂调暖一点”'],
  ['大堂色温调到 50%', '色温请说“大堂调暖一点”'],
  ['大堂调到一万K', '没有听懂'],
  ['大堂和研发一区的灯别关', '没有找到'],
  ['关九十九楼', '没有找到“九十九楼”'],
  ['关闭一到三楼', '没有找到“一到三楼”'],
  ['大堂的灯可以关吗', '没有听懂'],
  ['关大堂的灯？', '不清楚是要查询还是控制'],
  ['取消十分钟后关大堂', '口令不能取消或撤销'],
  ['打开 B1 和三层的会议室', '可以有两种意思，请分开说'],
  ['打开A座和B座三层', '可以有两种意思，请分开说'],
  ['大堂调到四千', '亮度最多 100%，说的是 4000%；色温请说“调到 4000K”'],
  ['大堂调到五百K', '灯没有 500K 的色温'],
  ['大堂空调调冷一点', '没有找到“大堂空调”'],
  ['大堂空调关掉', '没有找到“大堂空调”'],
  ['大堂调亮百分之二十', '可以有两种意思'],
  ['关闭这一层', '没有找到'],
])('explains why it does not understand %s', (sentence, expectedReason) =>
  expect(interpret(sentence)).toMatchObject({
    kind: 'unclear',
    why: expect.stringContaining(expectedReason),
  }),
)

describe('an exception', () => {
  const devices = [{ id: 'd2', name: 'A座1F-走廊-02', deviceName: 'l2', spaceId: 'a1' }]
  const interpretExcept = (sentence: string, hereId?: string) => {
    const command = interpretSentence(sentence, { tree, scenes, devices, here: tree.get(hereId) })
    if (!('except' in command) || !command.except) return command
    const { spaces, devices: keptDevices } = command.except
    return {
      ...command,
      space: command.space?.id,
      except: [...spaces, ...keptDevices].map(({ id }) => id).join(),
    }
  }
  const off = { kind: 'switch', on: false }
  it.each([
    ['除了大堂都关了', { ...off, space: undefined, except: 'lobby' }],
    ['关掉除了大堂以外的灯', { ...off, space: undefined, except: 'lobby' }],
    ['除大堂和研发一区外全部关闭', { ...off, space: undefined, except: 'lobby,lab' }],
    ['关A座一楼的灯，大堂留着', { ...off, space: 'a1', except: 'lobby' }],
    ['把A座三层的灯都关了，但是会议室别关', { ...off, space: 'a3', except: 'a3m' }],
    ['B座三层除了研发一区都打开', { kind: 'switch', on: true, space: 'b3', except: 'lab' }],
    ['关闭B座三层除了研发一区', { ...off, space: 'b3', except: 'lab' }],
    [
      'B座三层调到百分之三十，研发一区不变',
      { kind: 'brightness', value: 30, space: 'b3', except: 'lab' },
    ],
    ['关A座一楼的灯，A座1F-走廊-02留着', { ...off, space: 'a1', except: 'd2' }],
  ])('is understood in %s', (sentence, command) =>
    expect(interpretExcept(sentence)).toEqual(command),
  )
  it.each([
    ['除了会议室都关了', '“会议室”有 2 处'],
    ['关A座一楼的灯，研发一区留着', '不在要控制的范围里'],
    ['关B座三层的灯，A座1F-走廊-02留着', '不在要控制的范围里'],
    ['关大堂的灯，大堂留着', '不在要控制的范围里'],
    ['关A座一楼的灯，大堂别开', '没有'],
    ['除了大堂都关了吗', '没有'],
    ['除了游泳池都关了', '没有'],
    ['不要关除了大堂以外的灯', '没有'],
    ['B座三层调亮一点，研发一区不变', '请说调到多少'],
    ['大堂留着', '没有'],
  ])('is refused in %s', (sentence, reason) =>
    expect(interpretExcept(sentence)).toMatchObject({
      kind: 'unclear',
      why: expect.stringContaining(reason) as string,
    }),
  )
})

describe('a delayed command', () => {
  const off = { kind: 'switch', on: false }
  it.each([
    ['十分钟后关掉A座三层', { ...off, space: 'a3', delayMinutes: 10 }],
    ['半小时以后关大堂的灯', { ...off, space: 'lobby', delayMinutes: 30 }],
    ['过一个半小时把大堂的灯关了', { ...off, space: 'lobby', delayMinutes: 90 }],
    ['再等一刻钟关闭所有灯', { ...off, space: undefined, delayMinutes: 15 }],
    ['大堂的灯二十分钟之后关掉', { ...off, space: 'lobby', delayMinutes: 20 }],
    ['两小时后打开大堂', { kind: 'switch', on: true, space: 'lobby', delayMinutes: 120 }],
    ['1 小时 30 分后关灯', { ...off, space: 'lobby', delayMinutes: 90 }],
    [
      '五分钟后大堂调到百分之三十',
      { kind: 'brightness', value: 30, space: 'lobby', delayMinutes: 5 },
    ],
  ])('is understood in %s', (sentence, command) =>
    expect(interpret(sentence, 'lobby')).toEqual(command),
  )
  it('keeps its exceptions', () =>
    expect(interpret('十分钟后除了大堂都关了')).toMatchObject({
      delayMinutes: 10,
      except: { spaces: [{ id: 'lobby' }] },
    }))
  it.each([
    ['明天关闭大堂', '请在场景里设置定时'],
    ['A座三层晚上八点关灯', '请在场景里设置定时'],
    ['三十秒后关大堂', '延时 1 分钟到 24 小时'],
    ['十几分钟后关大堂', '延时 1 分钟到 24 小时'],
    ['三十小时后关大堂', '最多延时 24 小时'],
    ['零分钟后关大堂', '延时 1 分钟到 24 小时'],
    ['十分钟后执行下班场景', '场景不能用口令延时'],
    ['十分钟后大堂调亮一点', '延时请说开、关或调到多少'],
    ['十分钟后开着几盏灯', '只能查询灯现在的状态'],
    ['十分钟后大堂的灯关了吗', '只能查询灯现在的状态'],
    ['十分钟后关游泳池', '没有找到“游泳池”'],
    ['十分钟后不要关大堂', '没有'],
  ])('is refused in %s', (sentence, reason) =>
    expect(interpret(sentence)).toMatchObject({
      kind: 'unclear',
      why: expect.stringContaining(reason) as string,
    }),
  )
})

describe('numbers and synonyms', () => {
  const tree = createSpaceTree([
    createSpace('n2', null, 'building', '2# 楼'),
    createSpace('n2f', 'n2', 'floor', '2F'),
    createSpace('r201', 'n2f', 'room', '会议室 201'),
    createSpace('r202', 'n2f', 'room', '202 会议室'),
    createSpace('first', 'n2f', 'room', '第一会议室'),
    createSpace('third', 'n2f', 'room', '三号会议室'),
    createSpace('east', null, 'building', '东区 A 座'),
  ])
  const scenes = [
    { id: 's1', name: '会议模式' },
    { id: 's2', name: '1 号演讲' },
    { id: 's3', name: '夜间' },
    { id: 's4', name: '夜间场景' },
  ]
  const interpretInTower = (sentence: string) => interpretSentence(sentence, { tree, scenes })
  it.each([
    ['打开201会议室的灯', 'r201'],
    ['二零一会议室开灯', 'r201'],
    ['打开会议室二零二', 'r202'],
    ['关掉201', 'r201'],
    ['打开一号会议室', 'first'],
    ['打开第1会议室', 'first'],
    ['打开第三会议室', 'third'],
    ['关闭二号楼', 'n2'],
    ['二号楼第二层关灯', 'n2f'],
    ['2栋二楼关灯', 'n2f'],
    ['A栋关灯', 'east'],
  ])('%s', (sentence, id) =>
    expect(interpretInTower(sentence)).toMatchObject({ kind: 'switch', space: { id } }),
  )
  it.each([
    ['执行会议模式', 's1'],
    ['打开会议', 's1'],
    ['运行会议场景', 's1'],
    ['开始一号演讲', 's2'],
    ['执行第一演讲', 's2'],
    ['执行夜间', 's3'],
    ['执行夜间场景', 's4'],
  ])('%s', (sentence, id) =>
    expect(interpretInTower(sentence)).toMatchObject({ kind: 'scene', id }),
  )
  it.each([
    ['201调到最低', { kind: 'brightness', value: 1, space: tree.get('r201') }],
    ['201的亮度最高', { kind: 'brightness', value: 100, space: tree.get('r201') }],
    ['关闭所有楼层的灯', { kind: 'switch', on: false }],
  ])('%s', (sentence, expected) => expect(interpretInTower(sentence)).toEqual(expected))
  it('asks back when a scene and a place or group share a name, unless only lights can be meant', () => {
    const meetings = [
      { id: 's1', name: '会议室模式' },
      { id: 's2', name: '一组' },
    ]
    const tree = createSpaceTree([createSpace('m', null, 'room', '会议室')])
    const interpretMeeting = (sentence: string) =>
      interpretSentence(sentence, { tree, scenes: meetings, groups })
    expect(interpretMeeting('打开会议室')).toEqual({
      kind: 'unclear',
      why: '“会议室”可以是场景，也可以是那里的灯，请说“执行会议室模式”或“打开会议室的灯”',
    })
    expect(interpretMeeting('开一组')).toMatchObject({ kind: 'unclear' })
    expect(interpretMeeting('打开会议室的灯')).toMatchObject({ kind: 'switch', space: { id: 'm' } })
    for (const phrase of ['打开会议室模式', '执行会议室模式', '执行会议室', '会议室模式'])
      expect(interpretMeeting(phrase)).toMatchObject({ kind: 'scene', id: 's1' })
    expect(interpretMeeting('执行一组')).toMatchObject({ kind: 'scene', id: 's2' })
  })
  it('asks back when several scenes match', () => {
    const two = [
      { id: 's1', name: '会议模式' },
      { id: 's2', name: '会议场景' },
    ]
    expect(interpretSentence('执行会议', { tree, scenes: two })).toEqual({
      kind: 'unclear',
      why: '“会议”可能是场景“会议模式”或“会议场景”，请说全名',
    })
  })
})

it('asks which floors are meant for two consecutive digits', () => {
  for (const sentence of ['关闭一二层的灯', '打开三四楼'])
    expect(interpret(sentence)).toMatchObject({
      kind: 'unclear',
      why: expect.stringMatching(/可能是两层/) as string,
    })
  expect(interpret('关闭一二层的灯')).toHaveProperty('why', '“一二层”可能是两层，请说“一层和二层”')
})

it('resolves all places of a name when "all" is said', () => {
  const findSpaceIds = (sentence: string, hereId?: string) => {
    const command = interpretSentence(sentence, { tree, scenes, here: tree.get(hereId) })
    return 'spaces' in command ? command.spaces?.map(({ id }) => id) : command
  }
  expect(findSpaceIds('关闭所有会议室', 'b3')).toEqual(['a3m', 'b3m'])
  expect(findSpaceIds('全部会议室的灯都打开', 'b3')).toEqual(['a3m', 'b3m'])
  expect(findSpaceIds('关闭所有大堂的灯')).toMatchObject({ space: { id: 'lobby' } })
  expect(findSpaceIds('会议室的灯全部关掉', 'b3')).toMatchObject({ space: { id: 'b3m' } })
})

it('uses the group in view when no place is named', () => {
  const speechContext = { tree, scenes, groups, here: tree.get('a1'), hereGroup: groups[0] }
  expect(interpretSentence('关灯', speechContext)).toMatchObject({
    kind: 'switch',
    on: false,
    group: groups[0],
  })
  expect(interpretSentence('关闭大堂的灯', { ...speechContext, groups: [] })).toMatchObject({
    space: { id: 'lobby' },
  })
})

describe('a device name', () => {
  const device = (id: string, name: string, deviceName = id) => ({ id, name, deviceName })
  const devices = [
    device('d2', 'A座1F-走廊-02'),
    device('d20', 'A座1F-走廊-020'),
    device('d3', '展示灯', 'lamp-77'),
    device('d4', '展示灯', 'lamp-78'),
    device('d5', '灯'),
    device('d6', '大堂'),
  ]
  const interpretDevice = (sentence: string) => {
    const command = interpretSentence(sentence, { tree, scenes, groups, devices })
    return 'device' in command ? { ...command, device: command.device?.id } : command
  }

  it.each([
    ['关闭A座1F-走廊-02', { kind: 'switch', on: false, device: 'd2' }],
    ['打开 A座1F-走廊-02 的灯', { kind: 'switch', on: true, device: 'd2' }],
    ['把Ａ座１Ｆ－走廊－０２关了', { kind: 'switch', on: false, device: 'd2' }],
    ['A座1F - 走廊 - 02 调到百分之三十', { kind: 'brightness', value: 30, device: 'd2' }],
    ['关闭A座1F-走廊-020', { kind: 'switch', on: false, device: 'd20' }],
    ['打开lamp-78', { kind: 'switch', on: true, device: 'd4' }],
    ['十分钟后关闭A座1F-走廊-02', { kind: 'switch', on: false, device: 'd2', delayMinutes: 10 }],
    ['A座1F-走廊-02开着吗', { kind: 'question', asks: 'state', device: 'd2' }],
  ])('understands %s', (sentence, command) => expect(interpretDevice(sentence)).toEqual(command))

  it.each([
    ['关闭展示灯', '“展示灯”有 2 台，请说 DeviceName：lamp-77、lamp-78'],
    ['关闭A座1F-走廊-0', '没有找到'],
    ['关闭走廊-02', '没有找到'],
  ])('runs nothing for %s and gives the reason', (sentence, expectedReason) => {
    const command = interpretDevice(sentence)
    expect(command.kind === 'unclear' && command.why).toContain(expectedReason)
  })

  it('prefers a place to a device of the same name, and no device for a generic word for lights', () => {
    expect(interpretSentence('关闭大堂', { tree, scenes, devices })).toMatchObject({
      space: { id: 'lobby' },
    })
    expect(interpretDevice('关灯')).toEqual({ kind: 'switch', on: false })
  })
})

it.each([
  '请客厅',
  '三五室',
  '冷库',
  '开水间',
  '保留区',
  '十分钟咖啡',
  '50%',
  '上一层厅',
  '不夜城',
])('understands a room whose name contains a word of commands: %s', (name) => {
  const rooms = createSpaceTree([
    createSpace('tower', null, 'building', 'T 座'),
    createSpace('hall', 'tower', 'room', name),
  ])
  const interpretRoom = (sentence: string) => interpretSentence(sentence, { tree: rooms, scenes })
  const off = { kind: 'switch', on: false }
  for (const sentence of [`${name}关灯`, `关闭${name}的灯`, `把${name}的灯都关了`])
    expect(interpretRoom(sentence)).toEqual({ ...off, space: rooms.get('hall') })
  expect(interpretRoom(`关T座，${name}留着`)).toEqual({
    ...off,
    space: rooms.get('tower'),
    except: { spaces: [rooms.get('hall')], devices: [] },
  })
  expect(interpretRoom(`${name}的灯关了吗`)).toMatchObject({ kind: 'question', asks: 'state' })
})
