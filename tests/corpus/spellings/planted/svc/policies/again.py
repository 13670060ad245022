from tenacity import retry, retry_if_exception_type, wait_random_exponential
passing = retry(wait=wait_random_exponential(), retry=retry_if_exception_type(OSError))
def thrice(fn):
    return passing(fn)
