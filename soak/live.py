from compare import Result
def check(server, scenario, seed):
    return Result(None, '')
