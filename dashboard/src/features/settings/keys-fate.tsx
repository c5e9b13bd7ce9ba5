import { NativeSelect } from '@mantine/core'
import type { Member } from '../../api/members.ts'
import { useAccount } from '../../api/session.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { WaitingBar } from '../../parts/waiting-bar.tsx'
import type { Made } from './use-made.ts'

interface KeysFateProps {
  member: Member
  members: readonly Member[]
  made: Made
  /** Null: they end. */
  keysTo: string | null
  choose: (keysTo: string | null) => void
}

/** What becomes of what somebody has made who may no longer make it. */
export function KeysFate({ member, members, made, keysTo, choose }: KeysFateProps) {
  const account = useAccount()
  if (made.items === undefined) {
    return made.error ? <Trouble error={made.error} retry={made.retry} /> : <WaitingBar height={36} />
  }
  if (made.items.length === 0) return null
  const whose = member.id === account.id ? 'your keys and tokens' : `the keys and tokens of ${member.name}`
  return (
    <NativeSelect
      label={`What becomes of ${whose}?`}
      description={`${namesText(made.items)}: whatever uses one that ends is refused from its next request on.`}
      data={[
        { value: END, label: 'They end now' },
        ...members
          .filter(({ id, role }) => id !== member.id && role !== 'viewer')
          .map(({ id, name, email }) => ({
            value: id,
            label: id === account.id ? 'I take them over' : `${name} (${email}) takes them over`,
          })),
      ]}
      value={keysTo ?? END}
      onChange={({ currentTarget: { value } }) => choose(value === END ? null : value)}
    />
  )
}

const END = 'end'

const namesText = (made: readonly { name: string }[]) =>
  made.length > 3 ? `${made.length} of them` : made.map(({ name }) => `“${name}”`).join(', ')
