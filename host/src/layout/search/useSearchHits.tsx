import BankOutlined from '@ant-design/icons/BankOutlined'
import BulbOutlined from '@ant-design/icons/BulbOutlined'
import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined'
import useDebounce from 'ahooks/es/useDebounce'
import useRequest from 'ahooks/es/useRequest'
import { useAtom, useAtomValue } from 'jotai'
import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { DeviceSearchResult } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import type { Output } from '@iot/shared/contract/endpoint'
import { isLight, getLightState } from '@iot/shared/contract/control/light'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { matchesPath, matchesWords } from '@iot/shared/contract/matchesWords'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { lookText } from '@iot/shared/plan/lights'
import { createSpaceTree } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { toNarrowWidth } from '@iot/shared/contract/text'
import { useComposedText } from '@iot/shared/ui/composition'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { servedMenuAtom } from '../servedMenu'
import { listMenuPages } from '../menuPath'
import type { RecentChoice } from './recentChoices'
import { useCommandHit } from './useCommandHit'
import { useRecentHits } from './useRecentHits'

const kindUnits = {
  最近: '个',
  口令: '条',
  菜单: '个',
  项目: '个',
  场景: '个',
  位置: '处',
  设备: '台',
}
export type HitKind = keyof typeof kindUnits
export type Hit = {
  key: string
  kind: HitKind
  name: string
  detail: string
  icon?: ReactNode
  /** The list stays open, because the hit changes what it shows. */
  keepsOpen?: boolean
  /** Choosing the hit stores this among the recent choices; a page of the menu needs only its key. */
  recent?: Pick<RecentChoice, 'path' | 'projectId'>
  open: () => void
}

const maxHitsPerKind = 6
const quietOptions = { quiet: true }

/** Scenes and spaces of the current project, read once when the search opens. */
export type ProjectData = [Output<typeof sceneApi.page>, Space[]]

type SearchOptions = {
  searchText: string
  setSearchText: (text: string) => void
  expandedKinds: ReadonlySet<HitKind>
  expandKind: (kind: HitKind) => void
}

/**
 * Finds menus, projects, scenes, spaces and devices by name, by location or by pinyin, and understands commands; without
 * a text it lists what was chosen last.
 */
export function useSearchHits({
  searchText,
  setSearchText,
  expandedKinds,
  expandKind,
}: SearchOptions) {
  const projectId = useAtomValue(currentProjectIdAtom)
  const projectRead = useRequest(() =>
    Promise.all([
      call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, quietOptions),
      call(projectApi.spaces, { projectId }, quietOptions),
    ]),
  )
  const query = toNarrowWidth(useComposedText(searchText)).trim().toLowerCase()
  const devices = useDeviceSearch(projectId, query, expandedKinds.has('设备'))
  const isLatin = /[a-z]/i.test(searchText)
  const pinyinLoad = useRequest(() => import('pinyin-pro'), { ready: isLatin })
  const pinyin = pinyinLoad.data

  const menuHits = useMenuHits()
  const projectHits = useProjectHits(projectRead.data)
  const deviceHits = useDeviceHits(devices.result?.list, projectRead.data?.[1])
  const total = devices.result?.total ?? 0
  const command = useCommandHit(searchText, projectRead.data)
  const commandHit = command.hit
  const recentHits = useRecentHits([...menuHits, ...projectHits], setSearchText)

  const hits = useMemo(() => {
    if (!query) return [...recentHits, ...menuHits.filter(({ kind }) => kind === '菜单')]
    const matchesName = ({ name }: Hit) =>
      matchesWords(name, query) ||
      (pinyin?.match(name, query, { continuous: true }) ?? null) !== null
    const localHits = [...menuHits, ...projectHits]
    // Places with a matching name come before devices that lie in them.
    const nameMatches = new Set(localHits.filter(matchesName))
    const locationMatches = localHits.filter(
      (hit) => !nameMatches.has(hit) && matchesPath(`${hit.detail} / ${hit.name}`, query),
    )
    const commandHits = commandHit ? [commandHit] : []
    const orderedHits = [...commandHits, ...nameMatches, ...locationMatches, ...deviceHits]
    return (Object.keys(kindUnits) as HitKind[]).flatMap((kind) => {
      const kindHits = orderedHits.filter((hit) => hit.kind === kind)
      const hiddenCount = (kind === '设备' ? total : kindHits.length) - maxHitsPerKind
      if (hiddenCount <= 0 || expandedKinds.has(kind)) return kindHits
      const moreText = `还有 ${hiddenCount} ${kindUnits[kind]}`
      const openAll = () => expandKind(kind)
      return [
        ...kindHits.slice(0, maxHitsPerKind),
        { key: `more ${kind}`, kind, name: moreText, detail: '', keepsOpen: true, open: openAll },
      ]
    })
  }, [
    menuHits,
    projectHits,
    deviceHits,
    recentHits,
    commandHit,
    total,
    query,
    pinyin,
    expandedKinds,
    expandKind,
  ])
  const isSearching = query !== '' && !devices.result && !devices.error
  return {
    hits,
    /** Why a command was not understood or may not be given. */
    commandRefusal: command.refusal,
    loading:
      projectRead.loading ||
      isSearching ||
      command.loading ||
      (isLatin && !pinyin && !pinyinLoad.error),
    failed: projectRead.error ?? devices.error,
    retry: () =>
      [projectRead, devices].filter(({ error }) => error).forEach(({ refresh }) => refresh()),
  }
}

/** Searches devices on the server; `result` is set only if it belongs to the current query. */
function useDeviceSearch(projectId: number, query: string, isExpanded: boolean) {
  const debouncedQuery = useDebounce(query, { wait: 200 })
  const maxDevices = isExpanded ? 200 : maxHitsPerKind
  const request = useRequest(
    async () => ({
      of: debouncedQuery,
      ...(await call(
        deviceApi.search,
        { projectId, text: debouncedQuery, most: maxDevices },
        quietOptions,
      )),
    }),
    { ready: debouncedQuery !== '', refreshDeps: [projectId, debouncedQuery, maxDevices] },
  )
  // Results of an earlier query are not shown.
  const result = request.data?.of === query ? request.data : undefined
  return { result, error: request.error, refresh: request.refresh }
}

function useMenuHits() {
  const navigate = useNavigate()
  const menu = useAtomValue(servedMenuAtom)
  const projects = useAtomValue(projectsAtom)
  const [projectId, setProjectId] = useAtom(currentProjectIdAtom)
  return useMemo<Hit[]>(
    () => [
      ...listMenuPages(menu).map(({ node, names }) => ({
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
}

function useProjectHits(projectData: ProjectData | undefined) {
  const navigate = useNavigate()
  const can = useCan()
  return useMemo<Hit[]>(() => {
    if (!projectData) return []
    const [scenes, spaces] = projectData
    // Scenes that the user may not run are not offered.
    const runnableScenes = can(devicePermissions.scene) ? scenes.list : []
    const tree = createSpaceTree(spaces)
    const getPathNames = (id: string) => tree.path(id).map(({ name }) => name)
    return [
      ...runnableScenes.map(({ id, name, deviceCount }) => ({
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
        detail: getPathNames(id).slice(0, -1).join(' / '),
        icon: <EnvironmentOutlined />,
        open: () => {
          const floor = tree.path(id).find(({ type }) => type === 'floor') ?? tree.floorsOf(id)[0]
          void navigate(paths.home({ scope: id, ...(floor && { floor: floor.id }) }))
        },
      })),
    ]
  }, [projectData, navigate, can])
}

function useDeviceHits(devices: DeviceSearchResult[] | undefined, spaces: Space[] | undefined) {
  const projectId = useAtomValue(currentProjectIdAtom)
  const navigate = useNavigate()
  const can = useCan()
  return useMemo<Hit[]>(() => {
    const tree = createSpaceTree(spaces ?? [])
    return (devices ?? []).map((device) => {
      const lightState = getLightState(device)
      const state =
        device.state !== 'online' || !isLight(device)
          ? deviceStateText[device.state]
          : lookText[lightState]
      const pathNames = tree.path(device.spaceId || (device.floorId ?? '')).map(({ name }) => name)
      const isPlaced = device.floorId !== null
      const path = isPlaced
        ? paths.home({ floor: device.floorId!, device: device.id })
        : can(managedDeviceApi.get)
          ? `${paths.deviceAccess.device()}/${device.id}`
          : paths.home(device.spaceId ? { scope: device.spaceId } : {})
      return {
        key: `device ${device.id}`,
        kind: '设备' as const,
        name: device.name,
        detail: [
          state,
          pathNames.join(' / '),
          device.deviceName !== device.name && device.deviceName,
          !isPlaced && '未摆放',
        ]
          .filter(Boolean)
          .join(' · '),
        icon: <BulbOutlined />,
        recent: { path, projectId },
        open: () => void navigate(path),
      }
    })
  }, [devices, spaces, projectId, navigate, can])
}
