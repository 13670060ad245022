import backoff  #! OAS-X1
