import EditOutlined from '@ant-design/icons/EditOutlined'
import MenuFoldOutlined from '@ant-design/icons/MenuFoldOutlined'
import MenuOutlined from '@ant-design/icons/MenuOutlined'
import MenuUnfoldOutlined from '@ant-design/icons/MenuUnfoldOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import Button from 'antd/es/button'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom'
import { startLiveConnection } from '@iot/shared/client/live'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { paths } from '@iot/shared/screens/paths'
import { isEditModeAtom, siderCollapsedAtom } from '@iot/shared/session/application'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { systemAtom } from '@iot/shared/session/system'
import { hasSignInDuty, isSignedInAtom, userInfoAtom } from '@iot/shared/session/user'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { useMediaQuery } from '@iot/shared/ui/useMedia'
import { useHeartbeat } from '../federation/heartbeat'
import { getLoginPath } from '../pages/login/returnPath'
import { Breadcrumbs } from './Breadcrumbs'
import { whenIdle } from './idle'
import { LiveHint } from './LiveHint'
import { ProductLogo } from './ProductLogo'
import { ScreenLoadingBar } from './ScreenLoadingBar'
import { ProjectSwitcher } from './ProjectSwitcher'
import { ScreenBoundary } from './ScreenBoundary'
import { isSearchKey, takeEarlyInput } from './search/earlySearch'
import { startTypeAhead, type TypedInput } from './search/typeAhead'
import { Settings } from './Settings'
import { SideMenu } from './SideMenu'
import { TasksButton } from './tasks/TasksButton'
import { UserMenu } from './UserMenu'
import { useBackClosesDialog } from './useBackClosesDialog'
import { useCurrentUser } from './useCurrentUser'
import { usePageTimeZone } from './usePageTimeZone'
import { useIdleSignOut } from './useIdleSignOut'
import { useProjects } from './useProjects'
import { useScrollMemory } from './useScrollMemory'
import * as styles from './layout.module.css'
import './page.css'

const GlobalSearch = lazyDialog(() => import('./search/GlobalSearch'))
const MenuDrawer = lazyDialog(() => import('./MenuDrawer'))
const Alerts = lazyPart(() => whenIdle(() => import('./alerts/Alerts')))
const Notifications = lazyPart(() => whenIdle(() => import('./alerts/Notifications')))
const Approvals = lazyPart(() => whenIdle(() => import('./approvals/Approvals')))

const searchShortcut = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

export function Layout() {
  const location = useLocation()
  const isSignedIn = useAtomValue(isSignedInAtom)
  const mustStayAtLogin = hasSignInDuty(useAtomValue(userInfoAtom))
  if (!isSignedIn && location.pathname === '/404')
    return (
      <main>
        <Outlet />
      </main>
    )
  if (!isSignedIn || mustStayAtLogin)
    return <Navigate to={getLoginPath(location)} replace state={location.state} />
  return <Shell />
}

function Shell() {
  const { error, refresh } = useCurrentUser()
  const projects = useProjects()
  useHeartbeat()
  useIdleSignOut()
  const projectId = useAtomValue(currentProjectIdAtom)
  useEffect(() => startLiveConnection(projectId), [projectId])
  const timeZone = usePageTimeZone()

  const isNarrow = useMediaQuery('(max-width: 999px)')
  const [isFolded, setFolded] = useAtom(siderCollapsedAtom)
  // A narrow page always folds the menu until it is opened; the saved choice applies to wide pages only.
  const [isUnfolded, setUnfolded] = useState(false)
  const isCollapsed = isNarrow ? !isUnfolded : isFolded
  const toggleSider = () => (isNarrow ? setUnfolded(isCollapsed) : setFolded(!isCollapsed))
  const [isMenuOpen, setMenuOpen] = useState(false)
  const isNavigating = useNavigation().state !== 'idle'
  useScrollMemory()
  useBackClosesDialog()

  const { isSearching, openSearch, closeSearch, takeTypedInput } = useSearchDialog()
  const renderMenu = (menuProps: { folded?: boolean; onChosen?: () => void }) => (
    <SideMenu failed={!!error} onRetry={refresh} {...menuProps} />
  )

  return (
    <div className={styles.shell}>
      <Header projects={projects} onMenu={() => setMenuOpen(true)} onSearch={() => openSearch()} />
      <div className={styles.body}>
        <aside className={styles.sider} data-folded={isCollapsed || undefined}>
          <div className={styles.menu}>{renderMenu({ folded: isCollapsed })}</div>
          <Button
            type="text"
            block
            icon={isCollapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
            aria-label={isCollapsed ? '展开菜单' : '收起菜单'}
            title={isCollapsed ? '展开菜单' : '收起菜单'}
            onClick={toggleSider}
          />
        </aside>
        <main className={styles.content}>
          {isNavigating && <ScreenLoadingBar />}
          <ScreenBoundary>
            {/* A new key remounts the screen, because its times are shown in another time zone. */}
            <Outlet key={timeZone} />
          </ScreenBoundary>
        </main>
      </div>
      <Alerts />
      <Notifications />
      <Approvals />
      {isSearching && <GlobalSearch takeTypedInput={takeTypedInput} onClose={closeSearch} />}
      {isMenuOpen && (
        <MenuDrawer onClose={() => setMenuOpen(false)}>
          {renderMenu({ onChosen: () => setMenuOpen(false) })}
        </MenuDrawer>
      )}
    </div>
  )
}

type HeaderProps = {
  projects: ReturnType<typeof useProjects>
  onMenu: () => void
  onSearch: () => void
}

function Header({ projects, onMenu, onSearch }: HeaderProps) {
  const system = useAtomValue(systemAtom)
  const headerLogo = useAtomValue(baseConfigAtom)?.headerLogo || system.logo
  const [isEditMode, setEditMode] = useAtom(isEditModeAtom)
  const isHome = useLocation().pathname === paths.home()
  return (
    <header className={styles.header}>
      <Button
        className={styles.narrow}
        type="text"
        icon={<MenuOutlined />}
        aria-label="打开菜单"
        onClick={onMenu}
      />
      <Link to={paths.home()} className={styles.name}>
        {headerLogo ? (
          <img src={toFileUrl(headerLogo)} alt="" height={26} />
        ) : (
          <ProductLogo size={26} />
        )}
        <strong className={styles.wide}>{system.name}</strong>
      </Link>
      <Breadcrumbs />
      <LiveHint />
      <ProjectSwitcher {...projects} />
      <Button
        className={styles.search}
        type="text"
        icon={<SearchOutlined />}
        aria-label={`搜索 ${searchShortcut}`}
        onClick={onSearch}
      >
        <span className={styles.wide}>
          搜索 <kbd>{searchShortcut}</kbd>
        </span>
      </Button>
      {isHome && (
        <Can to={devicePermissions.control}>
          <Button
            type={isEditMode ? 'primary' : 'text'}
            icon={<EditOutlined />}
            aria-label="编辑模式"
            title={isEditMode ? '离开编辑模式' : '编辑模式'}
            aria-pressed={isEditMode}
            onClick={() => setEditMode(!isEditMode)}
          />
        </Can>
      )}
      <TasksButton />
      <Settings />
      <UserMenu />
    </header>
  )
}

/** Opens the search by its keys, and keeps what is typed until the search dialog has loaded. */
function useSearchDialog() {
  const [isSearching, setSearching] = useState(false)
  const typeAheadRef = useRef<ReturnType<typeof startTypeAhead>>(undefined)
  const takeTypedInput = () => {
    const typedInput = typeAheadRef.current?.end()
    typeAheadRef.current = undefined
    return typedInput
  }

  const onSearchKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isSearchKey(event)) return
    event.preventDefault()
    openSearch()
  })
  const adoptEarlyInput = useEffectEvent(() => {
    const earlyInput = takeEarlyInput()
    if (earlyInput) openSearch(earlyInput)
  })
  const dropTypedInput = useEffectEvent(() => takeTypedInput())
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => onSearchKey(event)
    addEventListener('keydown', onKeyDown)
    adoptEarlyInput()
    return () => {
      removeEventListener('keydown', onKeyDown)
      // Recorded keys are dropped on leaving, because further typing belongs to the next page.
      dropTypedInput()
    }
  }, [])
  const closeSearch = () => {
    takeTypedInput()
    setSearching(false)
  }
  function openSearch(initialInput?: TypedInput) {
    if (isSearching) return
    typeAheadRef.current ??= startTypeAhead(closeSearch, initialInput)
    setSearching(true)
  }
  return { isSearching, openSearch, closeSearch, takeTypedInput }
}
