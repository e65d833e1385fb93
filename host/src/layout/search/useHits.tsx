import {
  BankOutlined,
  BulbOutlined,
  EnvironmentOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons'
import { useDebounce, useRequest } from 'ahooks'
import { useAtom, useAtomValue } from 'jotai'
import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { deviceApi } from '@iot/shared/contract/device'
import { isLight, lookOf } from '@iot/shared/contract/light'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { matchesWords } from '@iot/shared/contract/matchesWords'
import { projectApi } from '@iot/shared/contract/project'
import { sceneApi } from '@iot/shared/contract/scene'
import { lookText } from '@iot/shared/plan/lights'
import { spaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { foldSearch } from '@iot/shared/contract/text'
import { useComposed } from '@iot/shared/ui/composition'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { servedMenuAtom } from '../../federation/served'
import { pagesOf } from '../menuPath'

const unit = { 菜单: '个', 项目: '个', 场景: '个', 位置: '处', 设备: '台' }
export type Kind = keyof typeof unit
export type Hit = {
  key: string
  kind: Kind
  name: string
  detail: string
  icon?: ReactNode
  open: () => void
}

const perKind = 6
const quiet = { quiet: true }

/** Finds menus, projects, scenes, spaces and devices by name, by location or by pinyin. */
export function useHits(typed: string, whole: ReadonlySet<Kind>, showWhole: (kind: Kind) => void) {
  const navigate = useNavigate()
  const can = useCan()
  const menu = useAtomValue(servedMenuAtom)
  const projects = useAtomValue(projectsAtom)
  const [projectId, setProjectId] = useAtom(currentProjectIdAtom)
  const read = useRequest(() =>
    Promise.all([
      call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, quiet),
      call(projectApi.spaces, { projectId }, quiet),
    ]),
  )
  const words = foldSearch(useComposed(typed))
  const asked = useDebounce(words, { wait: 200 })
  const most = whole.has('设备') ? 200 : perKind
  const devices = useRequest(
    async () => ({
      of: asked,
      ...(await call(deviceApi.search, { projectId, text: asked, most }, quiet)),
    }),
    { ready: asked !== '', refreshDeps: [projectId, asked, most] },
  )
  // Results of an earlier query are not shown.
  const found = devices.data?.of === words ? devices.data : undefined
  const isLatin = /[a-z]/i.test(typed)
  const spelling = useRequest(() => import('pinyin-pro'), { ready: isLatin })
  const pinyin = spelling.data

  const menus = useMemo<Hit[]>(
    () => [
      ...pagesOf(menu).map(({ node, names }) => ({
        key: `menu ${node.id}`,
        kind: '菜单' as const,
        name: node.name,
        detail: names.slice(0, -1).join(' / '),
        icon: <MenuIcon name={node.icon} />,
        open: () => void navigate(node.path),
      })),
      ...projects.map(({ id, name, fullname }) => ({
        key: `project ${id}`,
        kind: '项目' as const,
        name,
        detail: id === projectId ? '当前项目' : (fullname ?? ''),
        icon: <BankOutlined />,
        open: () => {
          setProjectId(id)
          void navigate(paths.home())
        },
      })),
    ],
    [menu, projects, projectId, navigate, setProjectId],
  )
  const things = useMemo<Hit[]>(() => {
    if (!read.data) return []
    const [scenes, spaces] = read.data
    const tree = spaceTree(spaces)
    const placeOf = (id: string) => tree.path(id).map(({ name }) => name)
    return [
      ...scenes.list.map(({ id, name, deviceCount }) => ({
        key: `scene ${id}`,
        kind: '场景' as const,
        name,
        detail: `${deviceCount} 台设备`,
        icon: <ThunderboltOutlined />,
        open: () => void navigate(paths.home({ scene: id })),
      })),
      ...spaces.map(({ id, name }) => ({
        key: `place ${id}`,
        kind: '位置' as const,
        name,
        detail: placeOf(id).slice(0, -1).join(' / '),
        icon: <EnvironmentOutlined />,
        open: () => {
          const floor = tree.path(id).find(({ type }) => type === 'floor') ?? tree.floorsOf(id)[0]
          void navigate(paths.home({ scope: id, ...(floor && { floor: floor.id }) }))
        },
      })),
    ]
  }, [read.data, navigate])
  const ofServer = useMemo<Hit[]>(() => {
    const tree = spaceTree(read.data?.[1] ?? [])
    return (found?.list ?? []).map((device) => {
      const look = lookOf(device)
      const state = isLight(device) || look === 'offline' ? lookText[look] : '在线'
      const place = tree.path(device.spaceId || (device.floorId ?? '')).map(({ name }) => name)
      const isPlaced = device.floorId !== null
      return {
        key: `device ${device.id}`,
        kind: '设备' as const,
        name: device.name,
        detail: [
          state,
          place.join(' / '),
          device.deviceName !== device.name && device.deviceName,
          !isPlaced && '未摆放',
        ]
          .filter(Boolean)
          .join(' · '),
        icon: <BulbOutlined />,
        open: () =>
          void navigate(
            isPlaced
              ? paths.home({ floor: device.floorId!, device: device.id })
              : can(managedDeviceApi.get)
                ? `${paths.deviceAccess.device()}/${device.id}`
                : paths.home(device.spaceId ? { scope: device.spaceId } : {}),
          ),
      }
    })
  }, [found, read.data, navigate, can])

  const total = found?.total ?? 0

  const hits = useMemo(() => {
    if (!words) return menus.filter(({ kind }) => kind === '菜单')
    const isNamed = ({ name }: Hit) =>
      matchesWords(name, words) ||
      (pinyin?.match(name, words, { continuous: true }) ?? null) !== null
    const here = [...menus, ...things]
    // Places with a matching name come before devices that lie in them.
    const named = new Set(here.filter(isNamed))
    const lying = here.filter(
      (hit) => !named.has(hit) && matchesWords(`${hit.name} ${hit.detail}`, words),
    )
    const all = [...named, ...lying, ...ofServer]
    return (Object.keys(unit) as Kind[]).flatMap((kind) => {
      const ofKind = all.filter((hit) => hit.kind === kind)
      const rest = (kind === '设备' ? total : ofKind.length) - perKind
      if (rest <= 0 || whole.has(kind)) return ofKind
      const more = `还有 ${rest} ${unit[kind]}`
      const open = () => showWhole(kind)
      return [
        ...ofKind.slice(0, perKind),
        { key: `more ${kind}`, kind, name: more, detail: '', open },
      ]
    })
  }, [menus, things, ofServer, total, words, pinyin, whole, showWhole])
  const isAsking = words !== '' && !found && !devices.error
  return {
    hits,
    loading: read.loading || isAsking || (isLatin && !pinyin && !spelling.error),
    failed: read.error ?? devices.error,
    retry: () => [read, devices].filter(({ error }) => error).forEach(({ refresh }) => refresh()),
  }
}
