import { lazy, Suspense, type ComponentType } from 'react'

const MenuIcon = lazy<ComponentType<{ name: string }>>(() =>
  import('./menuIcon').then(
    ({ MenuIcon }) => ({ default: MenuIcon }),
    () => ({ default: () => null }),
  ),
)

/** Decorative icon next to a name: its drawings load later, and the component works without them. */
export const LazyIcon = ({ name }: { name: string }) => (
  <span aria-hidden style={{ display: 'inline-block', width: '1em' }}>
    <Suspense>
      <MenuIcon name={name} />
    </Suspense>
  </span>
)

/** @deprecated Use {@link LazyIcon}; kept for remotes that were built before. */
export const LaterIcon = LazyIcon
