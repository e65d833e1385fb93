import { BankOutlined, BulbOutlined, SearchOutlined, ThunderboltOutlined } from '@ant-design/icons'
import { useRequest } from 'ahooks'
import { Empty, Input, Modal } from 'antd'
import { useAtom, useAtomValue } from 'jotai'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { deviceApi } from '@iot/shared/contract/device'
import { sceneApi } from '@iot/shared/contract/scene'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { servedMenuAtom } from '../../federation/served'
import { pagesOf } from '../menuPath'
import * as styles from './search.module.css'

type Hit = {
  key: string
  kind: string
  name: string
  detail: string
  icon: ReactNode
  open: () => void
}

const perKind = 6

/** Menus, projects, scenes and devices by name or by the pinyin of it. */
export default function GlobalSearch({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const menu = useAtomValue(servedMenuAtom)
  const projects = useAtomValue(projectsAtom)
  const [projectId, setProjectId] = useAtom(currentProjectIdAtom)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const { data: scenes } = useRequest(() =>
    call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, { quiet: true }),
  )
  const { data: devices } = useRequest(() =>
    call(deviceApi.mapInfo, { projectId }, { quiet: true }),
  )
  const { data: pinyin } = useRequest(() => import('pinyin-pro'), { ready: /[a-z]/i.test(typed) })

  const all = useMemo<Hit[]>(
    () => [
      ...pagesOf(menu).map(({ node, names }) => ({
        key: `menu ${node.id}`,
        kind: '菜单',
        name: node.name,
        detail: names.slice(0, -1).join(' / '),
        icon: <MenuIcon name={node.icon} />,
        open: () => void navigate(node.path),
      })),
      ...projects.map(({ id, name, fullname }) => ({
        key: `project ${id}`,
        kind: '项目',
        name,
        detail: id === projectId ? '当前项目' : (fullname ?? ''),
        icon: <BankOutlined />,
        open: () => {
          setProjectId(id)
          void navigate(paths.home())
        },
      })),
      ...(scenes?.list ?? []).map(({ id, name, deviceCount }) => ({
        key: `scene ${id}`,
        kind: '场景',
        name,
        detail: `${deviceCount} 台设备`,
        icon: <ThunderboltOutlined />,
        open: () => void navigate(paths.home({ scene: id })),
      })),
      ...Object.values(devices?.map ?? {}).map(({ id, name, floorId }) => ({
        key: `device ${id}`,
        kind: '设备',
        name,
        detail: '',
        icon: <BulbOutlined />,
        open: () => void navigate(paths.home({ floor: floorId, device: id })),
      })),
    ],
    [menu, projects, projectId, scenes, devices, navigate, setProjectId],
  )

  const hits = useMemo(() => {
    const words = typed.trim().toLowerCase()
    if (!words) return all.filter(({ kind }) => kind === '菜单')
    const counts = new Map<string, number>()
    return all.filter(({ kind, name, detail }) => {
      const count = counts.get(kind) ?? 0
      const isHit =
        count < perKind &&
        (`${name} ${detail}`.toLowerCase().includes(words) ||
          (pinyin?.match(name, words, { continuous: true }) ?? null) !== null)
      if (isHit) counts.set(kind, count + 1)
      return isHit
    })
  }, [all, typed, pinyin])

  const open = (hit?: Hit) => {
    if (!hit) return
    hit.open()
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setChosen((chosen + step + hits.length) % Math.max(1, hits.length))
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(hits[chosen])
  }

  return (
    <Modal
      open
      footer={null}
      closable={false}
      width={560}
      style={{ top: 72 }}
      styles={{ container: { padding: 8 } }}
      onCancel={onClose}
      title={null}
      aria-label="搜索"
    >
      <Input
        autoFocus
        size="large"
        variant="borderless"
        prefix={<SearchOutlined />}
        placeholder="搜菜单、项目、场景、设备，可用拼音首字母"
        aria-label="搜索"
        role="combobox"
        aria-expanded
        aria-controls="search-hits"
        aria-activedescendant={hits[chosen] && `hit-${chosen}`}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setTyped(target.value)
          setChosen(0)
        }}
      />
      <ul id="search-hits" role="listbox" className={styles.hits}>
        {hits.map((hit, index) => (
          <li
            key={hit.key}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === chosen}
            ref={(row) => {
              if (index === chosen) row?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseMove={() => setChosen(index)}
            onClick={() => open(hit)}
          >
            {hits[index - 1]?.kind !== hit.kind && <h4>{hit.kind}</h4>}
            <span className={styles.hit}>
              {hit.icon}
              <span>{hit.name}</span>
              <small>{hit.detail}</small>
            </span>
          </li>
        ))}
      </ul>
      {hits.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有找到“${typed}”`} />
      )}
    </Modal>
  )
}
