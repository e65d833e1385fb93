import { lazy, Suspense, type ComponentType } from 'react'

const MenuIcon = lazy<ComponentType<{ name: string }>>(() =>
  import('./menuIcon').then(
    ({ MenuIcon }) => ({ default: MenuIcon }),
    () => ({ default: () => null }),
  ),
)

/** An icon beside a name, which says the rest: what shows it loads without the drawings, and stands without them. */
export const LaterIcon = ({ name }: { name: string }) => (
  <span aria-hidden style={{ display: 'inline-block', width: '1em' }}>
    <Suspense>
      <MenuIcon name={name} />
    </Suspense>
  </span>
)
