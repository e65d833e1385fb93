import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import { useAtomValue } from 'jotai'
import type { ComponentProps } from 'react'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { formatValue } from '@iot/shared/ui/field'
import { Filters } from '@iot/shared/ui/filters'
import { useMediaQuery } from '@iot/shared/ui/useMedia'

/** Renders the filters of a list of the current project, preceded by the project's name on a wide page. */
export function ProjectFilters(props: ComponentProps<typeof Filters>) {
  const isWide = useMediaQuery('(min-width: 1200px)')
  const projectId = useAtomValue(currentProjectIdAtom)
  const project = useAtomValue(projectsAtom).find(({ id }) => id === projectId)
  return (
    <Flex gap={8} wrap align="start">
      {isWide && (
        <Typography.Text type="secondary" style={{ lineHeight: '32px' }}>
          项目：{project?.name ?? formatValue(undefined)}
        </Typography.Text>
      )}
      <Filters {...props} />
    </Flex>
  )
}
