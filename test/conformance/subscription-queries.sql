-- Check pending jobs
SELECT * FROM relayer_jobs
WHERE status = 'PENDING'
ORDER BY next_retry_at;

-- Check failed jobs
SELECT * FROM relayer_jobs
WHERE status = 'FAILED'
ORDER BY executed_at DESC;

-- Jobs with retries
SELECT id, subscription_id, retry_count, error_message, next_retry_at
FROM relayer_jobs
WHERE retry_count > 0 AND status = 'PENDING';

-- Success rate
SELECT
  status,
  COUNT(*) as count,
  ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 2) as percentage
FROM relayer_jobs
GROUP BY status;
