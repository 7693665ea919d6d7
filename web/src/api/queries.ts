// Reads by operation: the first part of each query key is the name of the operation, so that an event of the stream makes the reads of its
// resource stale, and a page can name the call that fills it.
import { QueryClient, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Page } from '../../../src/client/index.ts';
import { UsanceProblem } from '../../../src/client/problem.ts';
import type { OperationName } from './operations.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The client retries what can succeed later.
      retry: false,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // An ETag belongs to the object that the client returned: a shared copy would lose it.
      structuralSharing: false,
    },
  },
});

/** A read as a page shows it. */
export interface Read<T> {
  readonly operation: OperationName;
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly isStale: boolean;
  readonly retry: () => void;
}

export function useRead<T>(
  operation: OperationName,
  inputs: readonly unknown[],
  read: () => Promise<T>,
  options: { readonly enabled?: boolean; readonly everyMs?: number; readonly keep?: boolean } = {},
): Read<T> {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [operation, ...inputs],
    queryFn: read,
    enabled: options.enabled ?? true,
    refetchInterval: options.everyMs ?? false,
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
  });
  return { operation, data, error, isStale: isFetching, retry: () => void refetch() };
}

/** A list as a page shows it: the rows read so far, and the rest. */
export interface ReadList<T> extends Read<readonly T[]> {
  readonly more: (() => void) | null;
  readonly isReadingMore: boolean;
}

interface PageReader<T> {
  page(cursor?: string): Promise<Page<T>>;
}

/** Reads a list page by page, by the cursor of the server: the first page costs the same at a thousand rows and at a million. */
export function useList<T>(
  operation: OperationName,
  inputs: readonly unknown[],
  list: () => PageReader<T>,
  options: { readonly enabled?: boolean } = {},
): ReadList<T> {
  const query = useInfiniteQuery({
    queryKey: [operation, ...inputs],
    queryFn: ({ pageParam }) => list().page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    enabled: options.enabled ?? true,
  });
  return {
    operation,
    data: query.data?.pages.flatMap((page) => page.data),
    error: query.error,
    isStale: query.isFetching,
    retry: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    isReadingMore: query.isFetchingNextPage,
  };
}

/** After a change: everything that is on the screen is read again. */
export const readAgain = (): void => void queryClient.invalidateQueries();

export const isMissing = (error: unknown): boolean => error instanceof UsanceProblem && error.status === 404;
