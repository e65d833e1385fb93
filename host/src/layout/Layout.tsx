import {
  EditOutlined,
  MenuFoldOutlined,
  MenuOutlined,
  MenuUnfoldOutlined,
  SearchOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom'
import { watchLive } from '@iot/shared/client/live'
import { rights } from '@iot/shared/contract/homeRights'
import { paths } from '@iot/shared/screens/paths'
import { isEditModeAtom, siderCollapsedAtom } from '@iot/shared/session/application'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { systemAtom } from '@iot/shared/session/system'
import { isSignedInAtom, userInfoAtom } from '@iot/shared/session/user'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Right } from '@iot/shared/ui/right'
import { useMedia } from '@iot/shared/ui/useMedia'
import { useHeartbeat } from '../federation/heartbeat'
import { loginPath } from '../pages/login/returnPath'
import { Crumbs } from './Crumbs'
import { whenIdle } from './idle'
import { LiveHint } from './LiveHint'
import { Mark } from './Mark'
import { Opening } from './Opening'
import { PartBoundary } from './PartBoundary'
import { ProjectSwitcher } from './ProjectSwitcher'
import { ScreenBoundary } from './ScreenBoundary'
import { isSearchKey, takeEarly } from './search/early'
import { typeAhead, type Ahead } from './search/typeAhead'
import { Settings } from './Settings'
import { SideMenu } from './SideMenu'
import { TasksButton } from './tasks/TasksButton'
import { UserMenu } from './UserMenu'
import { useBackClosesDialog } from './useBackClosesDialog'
import { useMe } from './useMe'
import { usePageTimeZone } from './usePageTimeZone'
import { useProjects } from './useProjects'
import { useScrollMemory } from './useScrollMemory'
import * as styles from './layout.module.css'
import './page.css'

const GlobalSearch = lazyPart(() => import('./search/GlobalSearch'))
const MenuDrawer = lazyPart(() => import('./MenuDrawer'))
const Alerts = lazyPart(() => whenIdle(() => import('./alerts/Alerts')))
const Approvals = lazyPart(() => whenIdle(() => import('./approvals/Approvals')))

const keys = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

export function Layout() {
  const location = useLocation()
  const isSignedIn = useAtomValue(isSignedInAtom)
  const mustChangePassword = useAtomValue(userInfoAtom)?.mustChangePassword
  if (!isSignedIn && location.pathname === '/404')
    return (
      <main>
        <Outlet />
      </main>
    )
  if (!isSignedIn || mustChangePassword)
    return <Navigate to={loginPath(location)} replace state={location.state} />
  return <Shell />
}

function Shell() {
  const { error, refresh } = useMe()
  const projects = useProjects()
  useHeartbeat()
  const projectId = useAtomValue(currentProjectIdAtom)
  useEffect(() => watchLive(projectId), [projectId])
  const timeZone = usePageTimeZone()

  const system = useAtomValue(systemAtom)
  const headerLogo = useAtomValue(baseConfigAtom)?.headerLogo || system.logo
  const isNarrow = useMedia('(max-width: 999px)')
  const [isFolded, setFolded] = useAtom(siderCollapsedAtom)
  // A narrow page always folds the menu until it is opened; the saved choice applies to wide pages only.
  const [isUnfolded, setUnfolded] = useState(false)
  const collapsed = isNarrow ? !isUnfolded : isFolded
  const toggle = () => (isNarrow ? setUnfolded(collapsed) : setFolded(!collapsed))
  const [isEditMode, setEditMode] = useAtom(isEditModeAtom)
  const [isSearching, setSearching] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const isOpening = useNavigation().state !== 'idle'
  useScrollMemory()
  useBackClosesDialog()
  const isHome = useLocation().pathname === paths.home()

  const takeKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isSearchKey(event)) return
    event.preventDefault()
    search()
  })
  const takeOver = useEffectEvent(() => {
    const early = takeEarly()
    if (early) search(early)
  })
  const leave = useEffectEvent(() => takeAhead())
  useEffect(() => {
    const take = (event: KeyboardEvent) => takeKey(event)
    addEventListener('keydown', take)
    takeOver()
    return () => {
      removeEventListener('keydown', take)
      // Recorded keys are dropped on leaving, because further typing belongs to the next page.
      leave()
    }
  }, [])
  const ahead = useRef<ReturnType<typeof typeAhead>>(undefined)
  const takeAhead = () => {
    const typed = ahead.current?.end()
    ahead.current = undefined
    return typed
  }
  const endSearch = () => {
    takeAhead()
    setSearching(false)
  }
  function search(early?: Ahead) {
    if (isSearching) return
    ahead.current ??= typeAhead(endSearch, early)
    setSearching(true)
  }
  const menu = (how: { folded?: boolean; onChosen?: () => void }) => (
    <SideMenu failed={!!error} onRetry={refresh} {...how} />
  )

  return (
    <div className={styles.shell}>
      <header className={styles.header}>
        <Button
          className={styles.narrow}
          type="text"
          icon={<MenuOutlined />}
          aria-label="打开菜单"
          onClick={() => setMenuOpen(true)}
        />
        <Link to={paths.home()} className={styles.name}>
          {headerLogo ? <img src={headerLogo} alt="" height={26} /> : <Mark size={26} />}
          <strong className={styles.wide}>{system.name}</strong>
        </Link>
        <Crumbs />
        <LiveHint />
        <ProjectSwitcher {...projects} />
        <Button
          className={styles.search}
          type="text"
          icon={<SearchOutlined />}
          aria-label={`搜索 ${keys}`}
          onClick={() => search()}
        >
          <span className={styles.wide}>
            搜索 <kbd>{keys}</kbd>
          </span>
        </Button>
        {isHome && (
          <Right to={rights.control}>
            <Button
              type={isEditMode ? 'primary' : 'text'}
              icon={<EditOutlined />}
              aria-label="编辑模式"
              title={isEditMode ? '离开编辑模式' : '编辑模式'}
              aria-pressed={isEditMode}
              onClick={() => setEditMode(!isEditMode)}
            />
          </Right>
        )}
        <TasksButton />
        <Settings />
        <UserMenu />
      </header>
      <div className={styles.body}>
        <aside className={styles.sider} data-folded={collapsed || undefined}>
          <div className={styles.menu}>{menu({ folded: collapsed })}</div>
          <Button
            type="text"
            block
            icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
            aria-label={collapsed ? '展开菜单' : '收起菜单'}
            title={collapsed ? '展开菜单' : '收起菜单'}
            onClick={toggle}
          />
        </aside>
        <main className={styles.content}>
          {isOpening && <Opening />}
          <ScreenBoundary>
            {/* A new key remounts the screen, because its times are shown in another time zone. */}
            <Outlet key={timeZone} />
          </ScreenBoundary>
        </main>
      </div>
      <Alerts />
      <Approvals />
      <PartBoundary onClose={endSearch}>
        {isSearching && <GlobalSearch takeAhead={takeAhead} onClose={endSearch} />}
      </PartBoundary>
      <PartBoundary onClose={() => setMenuOpen(false)}>
        {isMenuOpen && (
          <MenuDrawer onClose={() => setMenuOpen(false)}>
            {menu({ onChosen: () => setMenuOpen(false) })}
          </MenuDrawer>
        )}
      </PartBoundary>
    </div>
  )
}
